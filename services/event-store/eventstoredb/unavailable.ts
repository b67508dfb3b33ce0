import {
  CancelledError,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { EventStoreUnavailable } from '../errors.ts'

/** The server does not answer, or answers that it cannot now: another try may find it, or another node of its cluster. */
const classes = [
  UnavailableError,
  NotLeaderError,
  TimeoutError,
  DeadlineExceededError,
  CancelledError,
]
/** Conflicts and refusals have a code of gRPC, too; they are answers. */
const answers = [WrongExpectedVersionError, MaxAppendSizeExceededError]

/** gRPC's: CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL (a stream that broke off), UNAVAILABLE. */
const codes = new Set([1, 4, 8, 10, 13, 14])

/**
 * Of code UNKNOWN or without one, what a server says that starts, stops or elects a leader; the client, when no node
 * tells who the members are; and gRPC, of a channel that a reconnect has just closed.
 */
const sentences =
  /not ready|(too|is) busy|no leader info|exception was thrown by handler|failed to discover|channel has been (shut down|closed)|channel closed|write after end|premature close|operation timed out|unexpected operationresult/i

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
])

/**
 * A dead server has three faces: an append rejects with a plain gRPC error (code 14), a read with UnavailableError,
 * and while the server starts, an append with UnknownError "Server Is Not Ready".
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof EventStoreUnavailable) return true
  if (answers.some((kind) => error instanceof kind)) return false
  if (classes.some((kind) => error instanceof kind)) return true
  if (typeof error !== 'object' || error === null) return false
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'number' && codes.has(code)) return true
  if (typeof code === 'string') return networkCodes.has(code)
  const message = 'message' in error && typeof error.message === 'string' ? error.message : ''
  return sentences.test(message)
}

/** EventStoreUnavailable where the server could not be asked or did not answer; any other error as it is. */
export function explained(error: unknown): unknown {
  if (!isUnavailable(error) || error instanceof EventStoreUnavailable) return error
  // Of appends in a stream, the client knows the kind of failure and no message.
  const isMute = error instanceof Error && error.message === '' && 'type' in error
  return new EventStoreUnavailable(
    isMute ? new Error(`it answered ${String(error.type)}`, { cause: error }) : error,
  )
}
