import { useEffect, useState } from 'react'
import {
  useFindMissingInvoicesMutation,
  type MissingInvoices,
} from '../../../../api/imports-api.ts'
import { containedIds, refusedNumbers, type ImportView } from './import-view.ts'

/** The server compares so many refused numbers. A file with more is not complete. */
const maxKept = 2_000

/** The open invoices that the file does not contain. Null until they are known. */
export function useMissingInvoices(view: ImportView | null): MissingInvoices | null {
  const [findMissing] = useFindMissingInvoicesMutation()
  const [found, setFound] = useState<{
    readonly of: ImportView
    readonly missing: MissingInvoices
  } | null>(null)

  useEffect(() => {
    if (view === null) return
    const keepNumbers = [...refusedNumbers(view.rows)]
    if (keepNumbers.length > maxKept) return
    let isCurrent = true
    void findMissing({
      receivableIds: [...containedIds(view.rows)],
      keepNumbers,
    }).then(({ data }) => {
      // Without an answer, the file is not offered as complete.
      if (isCurrent && data !== undefined) setFound({ of: view, missing: data })
    })
    return () => {
      isCurrent = false
    }
  }, [view, findMissing])

  return found !== null && found.of === view ? found.missing : null
}
