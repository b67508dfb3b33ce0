import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { logDestination } from './log-destination.ts'

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
    formatters: { level: (label) => ({ level: label }), log: withoutAddresses },
    redact: {
      paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
      censor: '[hidden]',
    },
  }
  return pino(options, to)
}

/**
 * pg attaches the connection to its errors as `client`: many lines of sockets and settings that
 * hide the reason.
 */
function serializedError(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutAddresses(error)
  const serialized: Record<string, unknown> = { ...pino.stdSerializers.err(error) }
  const { client: _, ...fields } = serialized
  return withoutAddresses(fields)
}

/** All signs of an address (contracts/address-rules.ts), though some of them also surround one. */
const address = /[^\s@<>()[\],;:"]+@[^\s@<>()[\]{},;:"'`=]+/g
const deepest = 6

/**
 * Replaces e-mail addresses in texts: third parties repeat them, such as a mail server that refuses
 * a recipient. An error stays for its serializer.
 */
function withoutAddresses<Value>(value: Value, depth?: number): Value
function withoutAddresses(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(address, '[address]')
  if (typeof value !== 'object' || value === null || depth > deepest) return value
  if (Array.isArray(value)) return value.map((each) => withoutAddresses(each as unknown, depth + 1))
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withoutAddresses(each as unknown, depth + 1)]),
  )
}
