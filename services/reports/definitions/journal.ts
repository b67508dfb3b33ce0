import { journalRow, lineReport } from './line-report.ts'

export const journalReport = lineReport('journal', journalRow)
