import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { logDestination } from './log-destination.ts'
import { withoutAddresses } from './without-addresses.ts'

/** The logger hides these fields at the top level and at the first two levels below it. */
const secretFields = [
  'email',
  'otp',
  'code',
  'password',
  'cookie',
  'authorization',
  'signature',
  'stripe-signature',
  'key',
  'secret',
]

/**
 * Writes one JSON line per entry to `to`, which is standard output by default. `logFormat` makes it
 * text on a terminal.
 * @param fields of every line, at the time of the line
 */
export function createLogger(
  level: string,
  to: DestinationStream = logDestination(),
  fields?: () => object,
): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    ...(fields && { mixin: fields }),
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializedError },
    formatters: { level: (label) => ({ level: label }), log: hideAddresses },
    redact: {
      paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
      censor: '[hidden]',
    },
  }
  return pino(options, to)
}

/**
 * pg attaches the connection to its errors as `client`: many lines of sockets and settings that
 * hide the reason. `detail` and `where` of PostgreSQL repeat values of the row, such as a name.
 */
function serializedError(error: unknown): unknown {
  if (!(error instanceof Error)) return hideAddresses(error)
  const serialized: Record<string, unknown> = { ...pino.stdSerializers.err(error) }
  const { client: _, detail: _detail, where: _where, ...fields } = serialized
  return hideAddresses(fields)
}

const deepest = 6

/** Replaces e-mail addresses in all texts of a value. An error stays for its serializer. */
function hideAddresses<Value>(value: Value, depth?: number): Value
function hideAddresses(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return withoutAddresses(value)
  if (typeof value !== 'object' || value === null || depth > deepest) return value
  if (Array.isArray(value)) return value.map((each) => hideAddresses(each as unknown, depth + 1))
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, hideAddresses(each as unknown, depth + 1)]),
  )
}
