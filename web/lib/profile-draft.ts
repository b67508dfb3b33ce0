import type { ProfileFields } from './profile-form.ts'
import { changeStored, readStored } from './stored-values.ts'

/**
 * How long a profile stays that was typed before the sign-up was finished. The browser may be
 * shared.
 */
const keptMs = 24 * 3_600_000

interface Draft {
  readonly email: string
  readonly fields: ProfileFields
  /** Milliseconds. */
  readonly until: number
}

/**
 * Keeps what was typed into the company profile, for its address alone. Only a person who entered a
 * code of this address sees it again.
 */
export function keepDraft(email: string, fields: ProfileFields): void {
  if (Object.values(fields).every((text) => text === '')) return
  const draft: Draft = { email, fields, until: Date.now() + keptMs }
  changeStored({ profileDraft: JSON.stringify(draft) })
}

/** The kept fields of this address, or null. */
export function draftOf(email: string): ProfileFields | null {
  const draft = readDraft()
  return draft?.email === email ? draft.fields : null
}

/** After the profile is saved. The draft of another address stays. */
export function forgetDraft(email: string): void {
  if (draftOf(email) !== null) changeStored({ profileDraft: null })
}

/** Deletes a draft whose time is over, also if no form is opened again. */
export function dropExpiredDraft(): void {
  readDraft()
}

function readDraft(): Draft | null {
  const stored = readStored('profileDraft')
  if (stored === null) return null
  const draft = parsed(stored)
  const isCurrent = draft !== null && draft.until > Date.now() && draft.until <= Date.now() + keptMs
  if (!isCurrent) changeStored({ profileDraft: null })
  return isCurrent ? draft : null
}

function parsed(text: string): Draft | null {
  try {
    const value: unknown = JSON.parse(text)
    return isDraft(value) ? value : null
  } catch {
    return null
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { email, fields, until } = value as Partial<Record<keyof Draft, unknown>>
  return (
    typeof email === 'string' &&
    typeof until === 'number' &&
    typeof fields === 'object' &&
    fields !== null &&
    Object.values(fields).every((text) => typeof text === 'string')
  )
}
