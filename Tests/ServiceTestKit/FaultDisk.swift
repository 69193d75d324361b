import CFaultVFS
import Synchronization

/// A disk in memory for a database, whose faults and losses of power a test decides.
package final class FaultDisk: Sendable {
  /// What the database is to be opened with, as its `vfs`.
  package let name: String
  // Safety: the disk has a mutex of its own.
  nonisolated(unsafe) private let disk: OpaquePointer
  /// The lock of the owner is a real file; the database is not.
  private let folder: TemporaryFolder

  private static let serial = Atomic(0)

  package init(seed: UInt64) throws {
    name = "disk-\(Self.serial.add(1, ordering: .relaxed).newValue)"
    guard let disk = fault_disk_create(name, seed) else { throw NoDisk() }
    self.disk = disk
    folder = try TemporaryFolder()
  }

  private struct NoDisk: Error {}

  deinit { fault_disk_destroy(disk) }

  package var path: String { folder.file("database.sqlite") }
  package var used: UInt64 { fault_disk_used(disk) }

  /// The power goes at a call of the disk.
  package func losePower(at call: Int) { fault_disk_plan(disk, fault_power_loss, UInt64(call), false) }
  /// There is no room at a call of the disk.
  package func runFull(at call: Int) { fault_disk_plan(disk, fault_no_room, UInt64(call), false) }
  /// What was planned does not happen any more.
  package func heal() { fault_disk_plan(disk, fault_none, 0, false) }
  package func setCapacity(_ bytes: UInt64) { fault_disk_set_capacity(disk, bytes) }

  /// The power comes back; what was not synced survives as the seed has it. False if files are still open.
  package func restart(seed: UInt64) -> Bool { fault_disk_restart(disk, seed) == 0 }
}
