import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'

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

/** Writes one JSON line per entry to `to`, which is standard output by default. */
export function createLogger(level: string, to: DestinationStream = pino.destination(1)): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: withoutClient },
    formatters: { level: (label) => ({ level: label }) },
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
function withoutClient(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const serialized: Record<string, unknown> = { ...pino.stdSerializers.err(error) }
  const { client: _, ...fields } = serialized
  return fields
}
