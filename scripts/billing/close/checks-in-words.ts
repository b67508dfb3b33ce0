import type { BeforeClose } from '#services/reports/integrity/before-close-check'

const marks: Readonly<Record<BeforeClose['outcome'], string>> = {
  passed: 'ok',
  finding: 'finding',
  refused: 'refused',
}

/** One line per check: its name, its outcome and its sentence. */
export function checksInWords(checks: readonly BeforeClose[]): string {
  return checks
    .map(
      ({ check, outcome, sentence }) =>
        `${check.padEnd(14)}  ${marks[outcome].padEnd(7)}  ${sentence}\n`,
    )
    .join('')
}
