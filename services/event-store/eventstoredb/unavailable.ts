import {
  CancelledError,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { errorMessage } from '#services/foundation/error-message'
import { networkErrorCodes } from '#services/foundation/network-error-codes'
import { EventStoreUnavailable } from '../errors.ts'

/**
 * The server does not answer or cannot answer now. A retry may succeed, on this or another node.
 */
const classes = [
  UnavailableError,
  NotLeaderError,
  TimeoutError,
  DeadlineExceededError,
  CancelledError,
]
/** Conflicts and refusals have a gRPC code, too, but they are answers. */
const answers = [WrongExpectedVersionError, MaxAppendSizeExceededError]

/**
 * gRPC's: CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL (a stream that broke
 * off), UNAVAILABLE.
 */
const codes = new Set([1, 4, 8, 10, 13, 14])

/**
 * Messages of errors with the code UNKNOWN or without a code. Their sources are:
 * - a server that starts, stops or elects a leader
 * - the client, if no node returns the cluster's members
 * - gRPC, if a reconnect has just closed the channel
 */
const sentences =
  /not ready|(too|is) busy|no leader info|exception was thrown by handler|failed to discover|channel has been (shut down|closed)|channel closed|write after end|premature close|operation timed out|unexpected operationresult/i

/** Node's code of a stream that the server ended before the answer. */
const prematureClose = 'ERR_STREAM_PREMATURE_CLOSE'

/**
 * Whether the error means that the server is unavailable. A dead server fails in three ways:
 * - An append rejects with a plain gRPC error (code 14).
 * - A read rejects with UnavailableError.
 * - An append during the server's start rejects with UnknownError "Server Is Not Ready".
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof EventStoreUnavailable) return true
  if (answers.some((kind) => error instanceof kind)) return false
  if (classes.some((kind) => error instanceof kind)) return true
  if (typeof error !== 'object' || error === null) return false
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'number' && codes.has(code)) return true
  if (typeof code === 'string') return networkErrorCodes.has(code) || code === prematureClose
  const message = 'message' in error && typeof error.message === 'string' ? error.message : ''
  return sentences.test(message)
}

/** The client's "Could not recognize Server Is Not Ready", in plain words. Null: another reason. */
export function startingServer(error: unknown): Error | null {
  return /server is not ready/i.test(errorMessage(error))
    ? new Error('the server is still starting', { cause: error })
    : null
}

/** Converts an unavailability to EventStoreUnavailable. Returns any other error unchanged. */
export function explained(error: unknown): unknown {
  if (!isUnavailable(error) || error instanceof EventStoreUnavailable) return error
  // For batch appends the client reports the kind of failure without a message.
  const isMute = error instanceof Error && error.message === '' && 'type' in error
  return new EventStoreUnavailable(
    isMute
      ? new Error(`it answered ${String(error.type)}`, { cause: error })
      : (startingServer(error) ?? error),
  )
}
