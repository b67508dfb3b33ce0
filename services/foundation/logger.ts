import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'

/** Never in the log, wherever it stands in what is logged. */
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

/** One JSON line an entry, on standard output unless it is handed something else. */
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

/** pg hangs the whole connection on an error of it: pages of sockets and settings, in which nobody looks for the reason. */
function withoutClient(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { client: _, ...told } = pino.stdSerializers.err(error) as unknown as Record<
    string,
    unknown
  >
  return told
}
