// Compression
