import { useState } from 'react'
import { queryString } from '../../../api/receivables-api.ts'
import { fetchFile } from '../../../lib/fetch-file.ts'
import { saveExport } from '../../../lib/save-export.ts'
import { endSession } from '../../../lib/session-values.ts'
import { Button } from '../../../ui/button.tsx'
import { DownloadIcon } from '../../../ui/table-icons.tsx'

interface ExportButtonProps {
  /** The path of the call, without `/export` or `/pdf`. */
  readonly path: string
  /** Within a sentence of a toast: `Invoices`. */
  readonly name: string
  /** What selects and orders the rows. An export has no pages. */
  readonly query: object
  readonly disabled?: boolean
  /** Only a statement and a receipt have a PDF. */
  readonly format?: 'csv' | 'pdf'
  readonly look?: 'line' | 'link'
  /** Instead of the verb and the format. */
  readonly label?: string
}

const formats = {
  csv: { call: 'export', accept: 'text/csv', verb: 'Export' },
  pdf: { call: 'pdf', accept: 'application/pdf', verb: 'Download' },
} as const

/** Saves all rows that match as CSV, or a statement or a receipt as PDF. */
export function ExportButton({
  path,
  name,
  query,
  disabled = false,
  format = 'csv',
  look = 'line',
  label,
}: ExportButtonProps) {
  const { call, accept, verb } = formats[format]
  const [busy, setBusy] = useState(false)

  async function start(): Promise<void> {
    setBusy(true)
    await saveExport({
      name,
      fallback: `${name} could not be exported. Try again.`,
      send: async (onProgress) => {
        const url = `/api/receivables/${path}/${call}?${queryString({ ...query, page: null, pageSize: null })}`
        const result = await fetchFile(url, { accept, onProgress })
        if (result.error?.status === 401) endSession('customer')
        return result
      },
    })
    setBusy(false)
  }

  return (
    <Button
      className={look === 'line' ? 'rcv-export' : undefined}
      look={look}
      busy={busy}
      disabled={disabled}
      aria-label={`${verb} ${name} as ${format.toUpperCase()}`}
      onClick={() => void start()}
    >
      {!busy && look === 'line' && <DownloadIcon />}
      <span>{label ?? `${verb} ${format.toUpperCase()}`}</span>
    </Button>
  )
}
