import { errorCode } from '#services/foundation/error-code'

/**
 * Why the database refused data, without a value of the data, which can be personal. Null for any
 * other failure, such as a lost connection.
 */
export function refusedData(error: unknown): string | null {
  const code = errorCode(error) ?? ''
  // Classes of SQLSTATE: 22 data exception, 23 integrity constraint violation, 42 unknown name.
  if (!/^(22|23|42)/.test(code)) return null
  const { constraint, column } = error as { constraint?: unknown; column?: unknown }
  if (typeof constraint === 'string') return `it breaks the rule ${constraint}`
  if (typeof column === 'string') return `its column ${column} has no value that is allowed`
  return `SQLSTATE ${code}`
}
