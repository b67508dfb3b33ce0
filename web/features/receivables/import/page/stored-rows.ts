import type { ImportSummary } from '#contracts/receivables/imports'

/** The rows that the server has answered, the refused ones too. */
export const storedRows = ({ counts }: Pick<ImportSummary, 'counts'>) =>
  counts.added + counts.changed + counts.unchanged + counts.refused
