import { isatty } from 'node:tty'
import pino from 'pino'
import { z } from 'zod'

/** A line of the log as pino writes it. pino's own level is a number, and its time too. */
const entry = z.looseObject({
  level: z.union([z.string(), z.number()]),
  time: z.union([z.string(), z.number()]).optional(),
  msg: z.string().optional(),
  err: z.looseObject({ message: z.string().optional(), stack: z.string().optional() }).optional(),
})

/** Fields that say nothing to a person at a terminal. */
const unseen: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'err', 'pid', 'hostname'])

/**
 * How a line of the log is written to this file descriptor: for a person at a terminal as text,
 * otherwise, and in production, as JSON.
 */
export function logFormat(fd: number, isProduction: boolean): (line: string) => string {
  return isatty(fd) && !isProduction ? terminalLine : (line) => line
}

/**
 * `09:12:05 WARN  The sandbox ended. It is started again. (reason "exit code 1", againInMs 500)`.
 * An error has its stack below. A line that is no JSON stays: a program's last words.
 */
export function terminalLine(line: string): string {
  const parsed = entry.safeParse(parseJson(line))
  if (!parsed.success) return line
  const { level, time, msg = '', err, ...rest } = parsed.data
  const label = typeof level === 'number' ? (pino.levels.labels[level] ?? String(level)) : level
  const fields = Object.entries(rest)
    .filter(([name]) => !unseen.has(name))
    .flatMap(([name, value]) => fieldsOf(name, messageOf(value)))
  const isWarning = label === 'warn' || label === 'info'
  const reason =
    isWarning && err?.message !== undefined ? [`err ${JSON.stringify(err.message)}`] : []
  const details = [...reason, ...fields]
  const text = `${clockTime(time)} ${label.toUpperCase().padEnd(5)} ${msg}${details.length === 0 ? '' : ` (${details.join(', ')})`}`
  const stack = isWarning ? undefined : (err?.stack ?? err?.message)
  return `${[
    text,
    ...(stack ?? '')
      .split('\n')
      .filter((each) => each !== '')
      .map((each) => `  ${each}`),
  ].join('\n')}\n`
}

/** `url.port 3001` of an object. A field without a value says nothing. */
function fieldsOf(name: string, value: unknown): readonly string[] {
  if (value === null) return []
  if (typeof value !== 'object' || Array.isArray(value)) return [`${name} ${JSON.stringify(value)}`]
  return Object.entries(value).flatMap(([part, each]) => fieldsOf(`${name}.${part}`, each))
}

/** The message of an error in another field than `err`: its stack has many lines. */
function messageOf(value: unknown): unknown {
  const error = z.looseObject({ message: z.string(), stack: z.string() }).safeParse(value)
  return error.success ? error.data.message : value
}

/** `09:12:05` in the time zone of the terminal. */
function clockTime(time: string | number | undefined): string {
  const date = time === undefined ? new Date() : new Date(time)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
