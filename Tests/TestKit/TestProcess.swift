import CTestMain
import EventLoops

/// Puts Swift Testing, its tasks and the main actor on the loop, as a service's `main` does.
@_cdecl("odi_test_process_starts")
func testProcessStarts() {
  odi_test_main_is_linked()
  EventLoop.install()
}
