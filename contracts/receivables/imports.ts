import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { filled } from '../form-text.ts'
import { instant } from '../instant.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { pageOf } from '../paging.ts'
import { importRow } from './import-rows.ts'
import { refusalCodes } from './refusals.ts'
import { receivablesAccess } from './shared.ts'

/*
 * The import of a file: check its rows, start, send the rows in any order and parts, finish. A
 * repeated row answers as the first time, so that a broken connection continues without doubles.
 */

/** A call has this many rows at most. */
const maxRowsOfCall = 500
/** An import has this many rows at most. */
const maxRowsOfImport = 20_000

/** A row, and what the merchant answered to a question of the check. */
const sentRow = importRow.extend({
  /** Whom the row is about: an id, or `new`. Null: the server finds the client. */
  clientChoice: z
    .string()
    .regex(/^(new|client_\w+)$/, 'must be an id of a client, or "new".')
    .max(64)
    .nullish()
    .transform((choice) => choice ?? null),
  /** More is open than before, because a payment went back. */
  confirmsReversal: z.boolean().default(false),
})

const sentRows = z
  .array(sentRow)
  .min(1, 'must have at least one row.')
  .max(maxRowsOfCall, `has ${maxRowsOfCall} rows at most. Send the others in further calls.`)
  .refine(
    (rows) => new Set(rows.map(({ row }) => row)).size === rows.length,
    'has a row number twice.',
  )

/** `POST /api/receivables/imports/check`: what would become of rows. Nothing is stored. */
export const checkImportRequest = z.object({ rows: sentRows })
/** `POST /api/receivables/imports/:importId/rows`. */
export const importRowsRequest = z.object({ rows: sentRows })

const rowOutcomes = ['added', 'changed', 'unchanged', 'refused'] as const

/** What a row changes of a known invoice, in minor units, days and texts. */
const rowChange = z.object({
  field: openEnum(['amount', 'dueDate', 'issueDate', 'open', 'reference', 'url']),
  before: z.union([z.string(), z.int()]).nullable(),
  after: z.union([z.string(), z.int()]).nullable(),
})

const candidate = z.object({
  clientId: z.string(),
  name: z.string(),
  number: z.string().nullable(),
  email: z.string().nullable(),
})

const rowResult = z.object({
  row: z.int(),
  number: z.string(),
  outcome: openEnum(rowOutcomes),
  /** Why it is refused, and what to do. Null otherwise. */
  code: openEnum(refusalCodes).nullable(),
  sentence: z.string().nullable(),
  /** Null for an invoice whose client is not known. */
  receivableId: z.string().nullable(),
  clientId: z.string().nullable(),
})

/** `POST /api/receivables/imports/:importId/rows`: in the order of the request. */
export const importRowsResponse = z.object({ results: z.array(rowResult) })

/** In the order of the request. */
export const checkImportResponse = z.object({
  results: z.array(
    rowResult.extend({
      changes: z.array(rowChange),
      isNewClient: z.boolean(),
      /** The clients that the row may be about, with the code `unclear-client`. Else empty. */
      candidates: z.array(candidate),
      /** Why the row's consent to texts is not recorded. Null if it is, or there is none. */
      consentNote: z.string().nullable(),
    }),
  ),
})

/** `POST /api/receivables/imports`. `rows`: how many will be sent, without those left out. */
export const startImportRequest = z.object({
  fileName: filled('File name', 255),
  /** Of the file, in bytes. */
  size: z.int().min(0).max(10_485_760, 'is more than 10 MB.'),
  /** Of the file's bytes. */
  sha256: z.string().regex(/^[\da-f]{64}$/, 'must be 64 hexadecimal digits.'),
  rows: z
    .int()
    .min(1, 'must be at least 1.')
    .max(maxRowsOfImport, 'is more than the 20,000 rows of an import. Split the file.'),
})
export const startImportResponse = z.object({ importId: z.string() })

/**
 * `POST /api/receivables/imports/:importId/finish`. `isComplete`: the file has every open invoice,
 * so the other ones are paid. `keepNumbers`: invoice numbers of rows that were left out or refused;
 * invoices with such a number stay as they are.
 */
export const finishImportRequest = z.object({
  isComplete: z.boolean().default(false),
  keepNumbers: z.array(z.string().max(60)).max(maxRowsOfImport).default([]),
})

/**
 * `POST /api/receivables/imports/missing`: which open invoices a complete file does not contain.
 */
export const missingInvoicesRequest = z.object({
  /** Of the checked rows that have one, without `receivable_`. */
  receivableIds: z.array(z.string().regex(/^[\da-f-]{36}$/)).max(maxRowsOfImport),
  keepNumbers: z.array(z.string().max(60)).max(2_000).default([]),
})
/** Of one currency. */
const openSum = z.object({ currency, open: z.int() })

export const missingInvoicesResponse = z.object({
  total: z.int().min(0),
  sums: z.array(openSum),
  /** The first 200, oldest due date first. */
  items: z.array(
    z.object({
      receivableId: z.string(),
      number: z.string(),
      clientName: z.string(),
      dueDate: calendarDay,
      open: z.int(),
      currency,
    }),
  ),
})

/** `undoing`: a reactor completes it. */
const standings = ['running', 'finished', 'undoing', 'undone'] as const

/** Rows that were stored, by outcome. */
const rowCounts = z.object({
  added: z.int().min(0),
  changed: z.int().min(0),
  unchanged: z.int().min(0),
  refused: z.int().min(0),
})

const importSummary = z.object({
  importId: z.string(),
  fileName: z.string(),
  size: z.int().min(0),
  sha256: z.string(),
  standing: openEnum(standings),
  rows: z.int().min(1),
  counts: rowCounts,
  /** Open invoices that were marked as paid, because the complete file did not contain them. */
  missing: z.int().min(0),
})

/** `GET /api/receivables/imports`: newest first. */
export const importsQuery = z
  .object({
    page: z.coerce.number().int().min(1).max(500).default(1),
    pageSize: z.coerce.number().int().min(1).max(100).default(20),
  })
  .strict()
export const importsPage = pageOf(
  importSummary.extend({
    startedAt: instant,
    /** `you`: the account of the merchant. `support`: an administrator, on its behalf. */
    startedBy: openEnum(['you', 'support']),
  }),
)

export const importParams = z.object({
  importId: z
    .string()
    .regex(/^\w[\w-]*$/)
    .max(64)
    .meta({ description: 'Begins with import_.' }),
})

/** `GET /api/receivables/imports/:importId`. */
export const importQuery = z
  .object({
    page: z.coerce.number().int().min(1).max(maxRowsOfImport).default(1),
    pageSize: z.coerce.number().int().min(1).max(500).default(50),
    outcome: z.enum(['all', 'waiting', ...rowOutcomes]).default('all'),
  })
  .strict()
export const importResponse = importSummary.extend({
  access: receivablesAccess,
  /** All rows that are stored, as ranges `[first, last]`: the others are sent again. */
  storedRows: z.array(z.tuple([z.int(), z.int()])),
  page: z.int().min(1),
  pageSize: z.int().min(1),
  total: z.int().min(0),
  items: z.array(
    rowResult.extend({
      /** Null: the row was begun, and is not stored. */
      outcome: openEnum(rowOutcomes).nullable(),
    }),
  ),
})

/**
 * `POST …/finish` and `POST …/undo`: the import after the call. After `undo`, `standing` is
 * `undoing`: a reactor takes the rows back after the answer. When all are back, it is `undone`.
 */
export const importActResponse = importSummary

export type SentRow = z.infer<typeof sentRow>
export type RowResult = z.infer<typeof rowResult>
export type CheckedRow = z.infer<typeof checkImportResponse>['results'][number]
export type RowChange = z.infer<typeof rowChange>
export type ImportSummary = z.infer<typeof importSummary>
export type ImportsPage = z.infer<typeof importsPage>
export type ImportsQuery = z.infer<typeof importsQuery>
export type ImportQuery = z.infer<typeof importQuery>

nameContracts({
  CheckImportRequest: checkImportRequest,
  CheckImportResponse: checkImportResponse,
  ImportRowsRequest: importRowsRequest,
  ImportRowsResponse: importRowsResponse,
  StartImportRequest: startImportRequest,
  StartImportResponse: startImportResponse,
  FinishImportRequest: finishImportRequest,
  MissingInvoicesRequest: missingInvoicesRequest,
  MissingInvoicesResponse: missingInvoicesResponse,
  ImportActResponse: importActResponse,
  ImportRow: sentRow,
  ImportRowCounts: rowCounts,
  ImportCandidate: candidate,
  MissingInvoicesSum: openSum,
  ImportRowResult: rowResult,
  ImportSummary: importSummary,
})
