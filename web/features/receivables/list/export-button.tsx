import { useState } from 'react'
import { queryString } from '../../../api/receivables-api.ts'
import { fetchFile } from '../../../lib/fetch-file.ts'
import { saveExport } from '../../../lib/save-export.ts'
import { endSession } from '../../../lib/session-values.ts'
import { Button } from '../../../ui/button.tsx'
import { DownloadIcon } from '../../../ui/table-icons.tsx'

interface ExportButtonProps {
  /** The path of the list's or statement's call, without `/export`. */
  readonly path: string
  /** Within a sentence of a toast: `Invoices`. */
  readonly name: string
  /** What selects and orders the rows. An export has no pages. */
  readonly query: object
  readonly disabled?: boolean
}

/** Saves all rows that match as CSV. */
export function ExportButton({ path, name, query, disabled = false }: ExportButtonProps) {
  const [busy, setBusy] = useState(false)

  async function start(): Promise<void> {
    setBusy(true)
    await saveExport({
      name,
      fallback: `${name} could not be exported. Try again.`,
      send: async (onProgress) => {
        const url = `/api/receivables/${path}/export?${queryString({ ...query, page: null, pageSize: null })}`
        const result = await fetchFile(url, { accept: 'text/csv', onProgress })
        if (result.error?.status === 401) endSession('customer')
        return result
      },
    })
    setBusy(false)
  }

  return (
    <Button
      className="rcv-export"
      look="line"
      busy={busy}
      disabled={disabled}
      aria-label={`Export ${name} as CSV`}
      onClick={() => void start()}
    >
      {!busy && <DownloadIcon />}
      <span>Export CSV</span>
    </Button>
  )
}
