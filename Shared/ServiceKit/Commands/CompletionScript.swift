/// The few lines that teach a shell to ask the program itself what can follow.
nonisolated package enum CompletionScript: String, CaseIterable, ArgumentValue {
  case bash, zsh, fish

  package func text(for program: String) -> String {
    let function = "_" + String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    switch self {
    case .bash: return Self.bash(program, function)
    case .zsh: return Self.zsh(program, function)
    case .fish: return Self.fish(program, function)
    }
  }

  // Bash splits words at = and : as well; pieces with nothing between them are put together again, and what bash keeps
  // of the current word is taken off the answers.
  private static func bash(_ program: String, _ function: String) -> String {
    """
    # bash completion for \(program): source it, or put it into /etc/bash_completion.d
    \(function)() {
      local rest="${COMP_LINE:0:COMP_POINT}" words=() piece index line directive kept
      for ((index = 0; index <= COMP_CWORD; index++)); do
        piece="${COMP_WORDS[index]}"
        if ((index > 0)) && [[ -n "$rest" && "$rest" != [[:space:]]* ]]; then
          ((index == COMP_CWORD)) && piece="$rest"
          words[${#words[@]}-1]+="$piece"
        else
          rest="${rest#"${rest%%[![:space:]]*}"}"
          ((index == COMP_CWORD)) && piece="$rest"
          words+=("$piece")
        fi
        rest="${rest#"$piece"}"
      done
      [[ "$piece" == [=:] ]] && piece=""
      kept="${words[${#words[@]}-1]}"
      kept="${kept%"$piece"}"
      COMPREPLY=()
      while IFS= read -r line; do
        if [[ "$line" == :* ]]; then
          directive="$line"
        else
          line="${line%%$'\\t'*}"
          COMPREPLY+=("$(printf '%q' "${line#"$kept"}")")
        fi
      done < <("${words[0]}" \(Completer.commandName) -- "${words[@]:1}" 2>/dev/null)
      case "$directive" in
        :files) compopt -o filenames 2>/dev/null; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$piece") ;;
        :directories) compopt -o filenames 2>/dev/null; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$piece") ;;
      esac
    }
    complete -F \(function) \(program)

    """
  }

  private static func zsh(_ program: String, _ function: String) -> String {
    """
    #compdef \(program)
    # zsh completion for \(program): put it into a directory of $fpath as _\(program)
    \(function)() {
      local -a lines offers
      local line text
      lines=("${(@f)$("${words[1]}" \(Completer.commandName) -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
      case "${lines[-1]}" in
        :files) _files; return ;;
        :directories) _files -/; return ;;
      esac
      for line in "${(@)lines[1,-2]}"; do
        text="${line%%$'\\t'*}"
        if [[ "$line" == *$'\\t'* ]]; then
          offers+=("${text//:/\\\\:}:${line#*$'\\t'}")
        else
          offers+=("${text//:/\\\\:}")
        fi
      done
      _describe -t values '\(program)' offers
    }
    if [[ "$funcstack[1]" == "_\(program)" ]]; then \(function) "$@"; else compdef \(function) \(program); fi

    """
  }

  private static func fish(_ program: String, _ function: String) -> String {
    """
    # fish completion for \(program): put it into ~/.config/fish/completions/\(program).fish
    function \(function)
        set -l words (commandline -opc) (commandline -ct)
        set -l lines ($words[1] \(Completer.commandName) -- $words[2..-1] 2>/dev/null)
        switch "$lines[-1]"
            case :files
                __fish_complete_path (commandline -ct)
            case :directories
                __fish_complete_directories (commandline -ct)
            case '*'
                printf '%s\\n' $lines[1..-2]
        end
    end
    complete -c \(program) -f -a '(\(function))'

    """
  }
}
