import {
  checkImportRequest,
  checkImportResponse,
  finishImportRequest,
  importActResponse,
  importParams,
  importQuery,
  importResponse,
  importRowsRequest,
  importRowsResponse,
  importsPage,
  importsQuery,
  missingInvoicesRequest,
  missingInvoicesResponse,
  startImportRequest,
  startImportResponse,
  type ImportQuery,
  type ImportsPage,
  type ImportsQuery,
  type ImportSummary,
} from '#contracts/receivables/imports'
import { parseReceivableId, type ImportId } from '#contracts/ids'
import { unreachable } from '#services/foundation/decider'
import { commandContext } from '#services/http/command-context'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { ReadContext } from '#services/http/read-your-writes'
import type { Routes } from '#services/http/routes'
import { givenImport, unknown } from './given-ids.ts'
import { accessOf, assertMayAct, type MerchantOf } from './merchant-access.ts'
import type { StartedImport } from './import/import-decider.ts'
import type { Imports, OpenInvoice, UndoRefusal } from './import/imports.ts'
import { resultOf } from './import/row-result.ts'
import { rowAt, rowsOf } from './import/row-table.ts'

export interface ImportQueries {
  /** @throws HttpError 503 while a read model is being built */
  ready(context: ReadContext): Promise<void>
  imports(merchantId: string, query: ImportsQuery): Promise<ImportsPage>
}

export interface ImportRoutesParts {
  readonly imports: Imports
  readonly importQueries: ImportQueries
  readonly merchantOf: MerchantOf
  readonly limits: Pick<Limits, 'importCheck' | 'importRows' | 'receivableChange'>
}

/** How many of the missing invoices an answer has. */
const maxMissing = 200

/** A merchant imports a file of invoices. */
export function importRoutes(parts: ImportRoutesParts): Routes {
  const { imports, importQueries: queries, merchantOf, limits } = parts
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/imports',
      summary: "List the merchant's imports",
      access: 'customer',
      query: importsQuery,
      answer: importsPage,
      async handle({ query }, context) {
        await queries.ready(context)
        return queries.imports(context.userId, query)
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/imports/check',
      appends: 'import check',
      summary: 'Check rows of a file of invoices, and store nothing',
      access: 'customer',
      work: 'imports',
      body: checkImportRequest,
      answer: checkImportResponse,
      alsoAnswers: [403, 409, 429],
      async handle({ body }, context) {
        await limits.importCheck.spend(context.userId)
        assertMayAct(await merchantOf(context.userId))
        await queries.ready(context)
        return { results: [...(await imports.check(context.userId, body.rows))] }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/imports/missing',
      appends: 'import check',
      summary: 'List the open invoices that a complete file does not contain',
      access: 'customer',
      work: 'imports',
      body: missingInvoicesRequest,
      answer: missingInvoicesResponse,
      alsoAnswers: [429],
      async handle({ body }, context) {
        await limits.importCheck.spend(context.userId)
        await queries.ready(context)
        const contained = new Set(
          body.receivableIds.map((id) => parseReceivableId(`receivable_${id}`)),
        )
        const found = await imports.missing(context.userId, contained, body.keepNumbers)
        return {
          total: found.length,
          sums: sumsOf(found),
          items: found.slice(0, maxMissing).map((invoice) => ({ ...invoice })),
        }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/imports',
      appends: 'import',
      summary: 'Start an import',
      access: 'customer',
      body: startImportRequest,
      answer: startImportResponse,
      alsoAnswers: [403, 409, 429],
      async handle({ body }, context) {
        const { userId } = context
        await limits.receivableChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        // The rows find the clients that the merchant has added before.
        await queries.ready(context)
        const { fileName: name, size, sha256, rows } = body
        const { importId, position } = await imports.start(
          userId,
          { name, size, sha256 },
          rows,
          commandContext(context, { kind: 'customer', id: userId }),
        )
        context.customer.remember(position)
        return { importId }
      },
    })

    route({
      method: 'get',
      path: '/api/receivables/imports/:importId',
      summary: 'Read an import and its rows',
      access: 'customer',
      params: importParams,
      query: importQuery,
      answer: importResponse,
      alsoAnswers: [404],
      async handle({ params, query }, { userId }) {
        const importId = givenImport(params.importId)
        const state = await imports.find(userId, importId)
        if (state === null) throw unknown()
        return {
          ...summaryOf(importId, state),
          access: accessOf(await merchantOf(userId)),
          storedRows: storedRanges(state),
          ...pageOfRows(state, query),
        }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/imports/:importId/rows',
      appends: 'import',
      summary: 'Store rows of an import',
      access: 'customer',
      work: 'imports',
      params: importParams,
      body: importRowsRequest,
      answer: importRowsResponse,
      alsoAnswers: [403, 404, 409, 429],
      async handle({ params, body }, context) {
        const { userId } = context
        const importId = givenImport(params.importId)
        await limits.importRows.spend(userId)
        assertMayAct(await merchantOf(userId))
        await queries.ready(withoutOwnWrites(context))
        const command = commandContext(context, { kind: 'customer', id: userId })
        const done = await imports.store(userId, importId, body.rows, command)
        if (done.kind === 'refused') throw refusedImport(done.refusal)
        context.customer.remember(done.position)
        return { results: [...done.results] }
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/imports/:importId/finish',
      appends: 'import',
      summary: 'Finish an import',
      access: 'customer',
      work: 'imports',
      params: importParams,
      body: finishImportRequest,
      answer: importActResponse,
      alsoAnswers: [403, 404, 409, 429],
      async handle({ params, body }, context) {
        const { userId } = context
        const importId = givenImport(params.importId)
        await limits.receivableChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        await queries.ready(context)
        const command = commandContext(context, { kind: 'customer', id: userId })
        const done = await imports.finish(userId, importId, body, command)
        if (done.kind === 'refused') throw refusedImport(done.refusal)
        context.customer.remember(done.position)
        return summaryOf(importId, done.state)
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/imports/:importId/undo',
      appends: 'import',
      summary: 'Undo an import',
      access: 'customer',
      params: importParams,
      answer: importActResponse,
      alsoAnswers: [403, 404, 409, 429],
      async handle({ params }, context) {
        const { userId } = context
        const importId = givenImport(params.importId)
        await limits.receivableChange.spend(userId)
        assertMayAct(await merchantOf(userId))
        const command = commandContext(context, { kind: 'customer', id: userId })
        const done = await imports.startUndo(userId, importId, command)
        if (done.kind === 'refused') throw refusedImport(done.refusal)
        context.customer.remember(done.position)
        return summaryOf(importId, done.state)
      },
    })
  }
}

/**
 * A part of an import does not wait until the lists show the parts before it: what they added is in
 * the import's stream, and the other clients were there when it started.
 */
function withoutOwnWrites({ admin, setHeader }: ReadContext): ReadContext {
  return { admin, setHeader, customer: { position: null, userId: null } }
}

function refusedImport(refusal: UndoRefusal): HttpError {
  const answer = (error: string) => new HttpError(409, { error, code: refusal.kind })
  switch (refusal.kind) {
    case 'not-found':
      return unknown()
    case 'import-over':
      return answer('The import is finished or undone. Start another import.')
    case 'more-rows':
      return answer(`The import was started with ${refusal.max} rows. Start another import.`)
    case 'row-differs':
      return answer(
        `Row ${refusal.row} was sent with another invoice number before. Continue with the same file, or start another import.`,
      )
    case 'rows-missing':
      return answer(
        `${refusal.missing === 1 ? '1 row is' : `${refusal.missing} rows are`} not stored yet. Send the missing rows, then finish the import.`,
      )
    case 'import-used': {
      const { numbers, total } = refusal
      const more = total > numbers.length ? ` and ${total - numbers.length} more` : ''
      return answer(
        `The import cannot be undone, because something happened to these invoices since: ${numbers.join(', ')}${more}.`,
      )
    }
    default:
      return unreachable(refusal)
  }
}

function sumsOf(invoices: readonly OpenInvoice[]) {
  const sums = new Map<string, number>()
  for (const { currency, open } of invoices) sums.set(currency, (sums.get(currency) ?? 0) + open)
  return [...sums].map(([currency, open]) => ({ currency, open }))
}

function summaryOf(importId: ImportId, state: StartedImport): ImportSummary {
  const { file, standing, rows, counts, missing } = state
  return {
    importId,
    fileName: file.name,
    size: file.size,
    sha256: file.sha256,
    standing,
    rows,
    counts,
    missing: missing.size,
  }
}

/** The numbers of the stored rows as ranges, in their order. */
function storedRanges({ known }: StartedImport): [number, number][] {
  const rows = [...rowsOf(known)].flatMap(([row, { outcome }]) => (outcome === null ? [] : [row]))
  const ranges: [number, number][] = []
  for (const row of rows.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === row - 1) last[1] = row
    else ranges.push([row, row])
  }
  return ranges
}

function pageOfRows(state: StartedImport, { page, pageSize, outcome }: ImportQuery) {
  const wanted = [...rowsOf(state.known)]
    .filter(([, row]) =>
      outcome === 'all'
        ? true
        : outcome === 'waiting'
          ? row.outcome === null
          : row.outcome === outcome,
    )
    .map(([row]) => row)
    .toSorted((a, b) => a - b)
  const first = (page - 1) * pageSize
  return {
    page,
    pageSize,
    total: wanted.length,
    items: wanted.slice(first, first + pageSize).map((row) => ({
      ...resultOf(row, state),
      outcome: rowAt(state.known, row)?.outcome ?? null,
    })),
  }
}
