import { useState } from 'react'
import { useDispatch } from 'react-redux'
import { api } from '../../../api/api.ts'
import { exportFile, type ExportFormat } from '../../../api/export-list.ts'
import { saveExport } from '../../../lib/save-export.ts'

interface DownloadButtonProps {
  readonly id: string
  readonly name: string
  readonly format: ExportFormat
}

/** Downloads an approved export, which is possible once. */
export function DownloadButton({ id, name, format }: DownloadButtonProps) {
  const [isRunning, setRunning] = useState(false)
  const dispatch = useDispatch()

  async function run(): Promise<void> {
    if (isRunning) return
    setRunning(true)
    await saveExport({
      name,
      fallback:
        'The download was interrupted. If the button is gone, the approval was used: propose the export again.',
      send: (onProgress) =>
        exportFile(`/api/admin/export-proposals/${encodeURIComponent(id)}/file`, {
          onProgress,
          accept: format === 'xlsx' ? 'text/event-stream' : 'text/csv',
        }),
    })
    setRunning(false)
    dispatch(api.util.invalidateTags(['AdminExportProposals', 'AdminActivity']))
  }

  return (
    <button
      type="button"
      className="row-action"
      aria-disabled={isRunning || undefined}
      aria-label={`Download the approved export of ${name} as ${format.toUpperCase()}, once`}
      onClick={() => void run()}
    >
      Download
    </button>
  )
}
