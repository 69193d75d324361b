import RPC

/// `jobs`: the long work of a service.
struct JobCommands {
  let access: ServiceAccess

  var command: Command {
    Command("jobs", "what takes long: see it and end it", subcommands: [list, cancel])
  }

  private static let id = Parameter<Int>.argument("ID", "as `jobs list` shows it")

  private var list: Command {
    Command("list", "show what runs, and what ended lately", takes: access.parameters) { call, output in
      try output.write(Self.report(try await access.ask(ReadJobs(), call, output)))
      return .done
    }
  }

  private var cancel: Command {
    Command(
      "cancel", "ask one to end; what it did until now stays done",
      examples: [.init("odi-\(access.service) jobs cancel 7", "as `jobs list` numbers them")],
      takes: [Self.id] + access.parameters
    ) { call, output in
      try output.write(Self.report([try await access.ask(CancelJob(id: call[Self.id]), call, output)]))
      return .done
    }
  }

  private static func report(_ jobs: [JobReport]) -> Report {
    let columns = [
      Report.Column("id", alignment: .right), Report.Column("job", shrinks: true), Report.Column("state"),
      Report.Column("took", alignment: .right), Report.Column("done", alignment: .right),
      Report.Column("total", alignment: .right), Report.Column("reason", shrinks: true),
    ]
    return Report(
      columns,
      rows: jobs.map { job in
        [
          .number(job.id), "\(job.name)", Report.Cell(job.state, job.state == "failed" ? .bad : .plain),
          .duration(.microseconds(job.microseconds)), .number(job.done), .number(job.total), .text(job.reason),
        ]
      })
  }
}
