import type { CommandContext } from '#services/commands/command-context'

/** What an export needs besides the right to export. */
export interface ExportPermit {
  /** Two exports with different permits are never the repeat of each other. */
  readonly key: string
  /** Before the rows are read. `rows` is null for more than are counted. @throws HttpError */
  check(rows: number | null): Promise<void>
  /**
   * Right before the first byte. A repeat with the same command id uses nothing. Returns the
   * refusal, or null.
   */
  take(rows: number | null, context: CommandContext): Promise<Error | null>
}

/** Without a limit nothing more is needed. */
export const unlimited: ExportPermit = {
  key: '',
  check: () => Promise.resolve(),
  take: () => Promise.resolve(null),
}
