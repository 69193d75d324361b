import RPC
import Testing

@Suite("A limit of a contract")
struct RPCErrorLimitsTests {
  private func refusal(_ body: () throws(RPCError) -> Void) -> RPCError? {
    do throws(RPCError) { try body() } catch { return error }
    return nil
  }

  @Test("lets through what is within it, its ends and what was not given")
  func allowed() {
    for number in [1, 7, 10] {
      #expect(refusal { () throws(RPCError) in try RPCError.check(number, in: 1...10) } == nil)
    }
    for count in [nil, 0, 3] {
      #expect(refusal { () throws(RPCError) in try RPCError.check(count: count, of: "ids", atMost: 3) } == nil)
    }
  }

  @Test("refuses the rest with what to ask for, and says that nothing was executed")
  func refused() {
    let limit = refusal { () throws(RPCError) in try RPCError.check(0, in: 1...10) }
    #expect(limit?.message == "limit is 0; ask for 1...10")
    let days = refusal { () throws(RPCError) in try RPCError.check(61, "days", in: 1...60) }
    #expect(days?.message == "days is 61; ask for 1...60")
    let ids = refusal { () throws(RPCError) in try RPCError.check(count: 4, of: "ids", atMost: 3) }
    #expect(ids?.message == "4 ids; give at most 3")
    for error in [limit, days, ids] { #expect(error?.code == .invalidArgument && error?.executed == .no) }
  }
}
