// RPCTransport
