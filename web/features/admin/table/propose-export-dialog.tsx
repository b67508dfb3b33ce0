import { useState } from 'react'
import { exportName } from '#contracts/admin/exports'
import type { AdminListName } from '#contracts/admin/lists'
import { filtersInWords, parametersAsText } from '#contracts/export-filters'
import type { ExportFormat } from '../../../api/export-list.ts'
import { useProposeExportMutation } from '../../../api/export-proposals-api.ts'
import { errorText } from '../../../lib/http.ts'
import { newId } from '../../../lib/new-id.ts'
import { showToast } from '../../../lib/toasts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import type { TabQuery } from './list-tab.ts'

interface ProposeExportDialogProps {
  readonly list: AdminListName
  readonly format: ExportFormat
  readonly query: TabQuery
  /** Why one administrator alone does not export it. */
  readonly why: string
  readonly onClose: () => void
}

/**
 * Proposes an export to another administrator. One open dialog is one request: a second click and a
 * retry after a lost answer propose once.
 */
export function ProposeExportDialog({
  list,
  format,
  query,
  why,
  onClose,
}: ProposeExportDialogProps) {
  const [requestId] = useState(newId)
  const [reason, setReason] = useState('')
  const [propose, { isLoading, error }] = useProposeExportMutation()
  const { page: _page, pageSize: _size, search: _search, ...selected } = query
  const parameters = parametersAsText(selected)
  const name = exportName(list, query)
  // The name has the interval.
  const { interval: _interval, ...others } = parameters
  const filters = filtersInWords(others)

  async function confirm(): Promise<void> {
    const { data } = await propose({
      request_id: requestId,
      list,
      format,
      query: parameters,
      reason: reason.trim(),
    })
    if (data === undefined) return
    showToast('success', data.message)
    onClose()
  }

  return (
    <ConfirmDialog
      title={`Propose the export of ${name}?`}
      action="Propose the export"
      isRisky={false}
      busy={isLoading}
      disabled={reason.trim() === ''}
      problem={
        error === undefined
          ? null
          : errorText(error, 'The answer was lost. Try again: it is proposed once.')
      }
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>{why}</p>
      <p>
        <b>
          {name}
          {filters === '' ? '' : ` (${filters})`}
        </b>{' '}
        as {format.toUpperCase()}. After the approval you download it on the page Approvals, once
        within 24 hours.
      </p>
      <TextField
        label="Reason for the other administrator"
        autoComplete="off"
        autoFocus
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  )
}
