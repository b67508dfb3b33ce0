import { exportName } from '#contracts/admin/exports'
import { Button } from '../../../ui/button.tsx'
import { DownloadIcon } from '../../../ui/table-icons.tsx'
import { usePageDialog } from '../page-dialogs.tsx'
import { lazyDialog } from '../tabs/lazy-dialog.tsx'
import { useMay } from '../use-may.ts'
import type { TabQuery, ListTab } from './list-tab.ts'
import { useExport } from './use-export.ts'

const { Dialog: ProposeExportDialog } = lazyDialog(
  async () => (await import('./propose-export-dialog.tsx')).ProposeExportDialog,
)

interface ExportButtonsProps<Item, Query extends TabQuery> {
  readonly tab: ListTab<Item, Query>
  readonly query: Query
  /** The rows of the list. Undefined until the first page has loaded. */
  readonly total: number | undefined
}

/** Saves all rows that match the filters. */
export function ExportButtons<Item, Query extends TabQuery>({
  tab,
  query,
  total,
}: ExportButtonsProps<Item, Query>) {
  const showDialog = usePageDialog()
  const { running, start } = useExport(tab, query, total, (refused) =>
    showDialog((close) => <ProposeExportDialog list={tab.list} {...refused} onClose={close} />),
  )
  if (!useMay('export')) return null
  return (
    <div className="list-export" role="group" aria-label={`Export ${exportName(tab.list, query)}`}>
      <Button look="line" busy={running === 'csv'} onClick={() => start('csv')}>
        {running !== 'csv' && <DownloadIcon />}
        Export CSV
      </Button>
      <Button
        look="line"
        aria-label="Export XLSX"
        busy={running === 'xlsx'}
        onClick={() => start('xlsx')}
      >
        XLSX
      </Button>
    </div>
  )
}
