import { lastReachableRow } from '#contracts/paging'
import {
  proposalSentence,
  refusedProposal,
} from '#services/administrators/second-person/proposal-sentences'
import { countOf, formatCount } from '#services/foundation/format-count'
import { HttpError } from '#services/http/http-error'
import { takeHours, type ExportApprovalRefusal } from './export-approval-decider.ts'

type NeedsSecond = Extract<ExportApprovalRefusal, { kind: 'needs-second-person' }>

/** The answer to an export, a proposal or a decision that was refused. */
export function refusedExport(refusal: ExportApprovalRefusal): HttpError {
  const error = sentenceOf(refusal)
  // The console then offers to propose the export.
  if (refusal.kind === 'needs-second-person')
    return new HttpError(409, { error, field: 'second_person', reason: error })
  return refusedProposal(refusal.kind, error)
}

function sentenceOf(refusal: ExportApprovalRefusal): string {
  switch (refusal.kind) {
    case 'other-request':
      return 'This dialog has proposed another export before. Close it, and export again.'
    case 'not-approved':
      return 'No other administrator has approved this export yet. Reload the page.'
    case 'late':
      return `An approved export can be downloaded for ${takeHours} hours, which are over. Propose it again.`
    case 'grown':
      return `The list has grown from ${recordsInWords(refusal.from)} to ${recordsInWords(refusal.to)} since the proposal. Propose the export again.`
    case 'needs-second-person':
      return `${aboveLimit(refusal)} Another administrator must approve it.`
    default:
      return proposalSentence(refusal, { noun: 'export', right: 'export' })
  }
}

/** The setting demands two persons, and only one could act. */
export function tooFewExporters(refusal: NeedsSecond | null): HttpError {
  const why = refusal === null ? 'This export' : `${aboveLimit(refusal)} It`
  return new HttpError(
    409,
    `${why} needs two named administrators who may export data, and there are fewer. Ask an owner to add another one.`,
  )
}

/** A proposal keeps no text of a search: the log would keep it after an erasure. */
export function searchedExport(refusal: NeedsSecond): HttpError {
  return new HttpError(
    409,
    `${aboveLimit(refusal)} Another administrator must approve it, and an approval has no search. Clear the search and use the filters, or search for fewer records.`,
  )
}

export function searchedProposal(): HttpError {
  return new HttpError(
    409,
    'An export that another administrator approves has no search. Clear the search and use the filters.',
  )
}

/** The setting is off. */
export function noSecondPersonNeeded(): HttpError {
  return new HttpError(409, 'No export needs a second administrator. Export the list.')
}

function aboveLimit({ rows, exported, max }: NeedsSecond): string {
  const before =
    exported === 0
      ? ''
      : `, and you have exported ${formatCount(exported)} of them in the last 24 hours`
  return `This export has ${recordsInWords(rows)}. One administrator alone exports ${countOf(max, 'record')} within 24 hours at most${before}.`
}

function recordsInWords(rows: number | null): string {
  if (rows === null) return `more than ${formatCount(lastReachableRow)} records`
  return countOf(rows, 'record')
}
