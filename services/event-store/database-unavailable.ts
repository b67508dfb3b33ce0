import { isDatabaseUnavailable } from '#services/postgres/unavailable'
import { EventStoreUnavailable } from './errors.ts'

/*
 * The product's database has the personal keys of any event log. With the PostgreSQL adapter it
 * also has the log.
 */

export function isUnavailable(error: unknown): boolean {
  return error instanceof EventStoreUnavailable || isDatabaseUnavailable(error)
}

/**
 * Runs `work`. @throws EventStoreUnavailable if the database cannot be reached or does not answer
 */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isUnavailable(error) && !(error instanceof EventStoreUnavailable)
      ? new EventStoreUnavailable(error)
      : error
  }
}
