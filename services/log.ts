import pino, { type Logger } from 'pino'

/** Never in the log, wherever it stands in what is logged. */
const secretFields = ['email', 'otp', 'code', 'password', 'cookie', 'authorization', 'signature', 'stripe-signature', 'key', 'secret']

/** One JSON line an entry, on standard output. */
export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]), censor: '[hidden]' },
  })
}
