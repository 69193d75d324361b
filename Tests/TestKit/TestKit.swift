// TestKit
