import {
  adminEnquiriesQuery,
  type AdminEnquiriesQuery,
  type AdminEnquiry,
} from '#contracts/admin/enquiries'
import {
  enquiryStatuses,
  enquiryStatusLabels,
  settableEnquiryStatuses,
  type EnquiryStatus,
  type SettableEnquiryStatus,
} from '#contracts/enquiry-status'
import { useListEnquiriesQuery, useUpdateEnquiryMutation } from '../../../api/admin-api.ts'
import { errorText } from '../../../lib/http.ts'
import { showToast } from '../../../lib/toasts.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Description, Descriptions } from '../../../ui/descriptions.tsx'
import { statusIn, StatusChips, type StatusLabel } from '../../../ui/status-chip.tsx'
import { CopyId, Day, MailLink, None } from '../table/cells.tsx'
import { useMay } from '../use-may.ts'
import type { ListTab } from '../table/list-tab.ts'

const statuses: Readonly<Record<EnquiryStatus, StatusLabel>> = {
  open: { label: enquiryStatusLabels.open, tone: 'open' },
  inprogress: { label: enquiryStatusLabels.inprogress, tone: 'pending' },
  closed: { label: enquiryStatusLabels.closed, tone: 'ended' },
}

export const enquiriesTab: ListTab<AdminEnquiry, AdminEnquiriesQuery> = {
  list: 'enquiries',
  title: 'Enquiries',
  what: 'enquiries',
  searchPlaceholder: 'Search by user email, plan name...',
  emptyText: 'No enquiries found matching your search criteria',
  query: adminEnquiriesQuery,
  useList: useListEnquiriesQuery,
  rowKey: ({ enquiry_id }) => enquiry_id,
  rowName: ({ email, created_at }) => `the enquiry of ${email}, ${created_at}`,
  isMarked: ({ user_blocked }) => user_blocked,
  columns: [
    {
      title: 'Name',
      wraps: true,
      smallScreen: 'key',
      isLong: true,
      cell: (enquiry) => (
        <>
          {fullName(enquiry)} {enquiry.user_blocked && <Chip tone="failed">Blocked</Chip>}
        </>
      ),
    },
    {
      title: 'Email',
      sort: 'email',
      wraps: true,
      smallScreen: 'details',
      cell: ({ email }) => <MailLink address={email} />,
    },
    {
      title: 'Phone',
      smallScreen: 'details',
      cell: ({ phone_number }) => phone_number || <None />,
    },
    {
      title: 'Message',
      wraps: true,
      smallScreen: 'none',
      cell: ({ message }) => <span className="two-lines">{message}</span>,
    },
    {
      title: 'Goals',
      wraps: true,
      smallScreen: 'none',
      cell: ({ goals }) => (goals ? <span className="two-lines">{goals}</span> : <None />),
    },
    {
      title: 'Status',
      sort: 'status',
      smallScreen: 'status',
      cell: ({ status }) => <StatusChips labels={[statusIn(statuses, status)]} />,
    },
    {
      title: 'Created At',
      sort: 'created_at',
      smallScreen: 'date',
      cell: ({ created_at }) => <Day at={created_at} />,
    },
    {
      title: 'Updated At',
      sort: 'updated_at',
      smallScreen: 'details',
      cell: ({ updated_at }) => <Day at={updated_at} />,
    },
    {
      title: 'Actions',
      align: 'right',
      smallScreen: 'actions',
      cell: (enquiry) => <StatusButtons enquiry={enquiry} />,
    },
  ],
  filters: [
    {
      key: 'status',
      label: 'Status',
      look: 'segments',
      options: [
        { value: 'all', label: 'All' },
        ...enquiryStatuses.map((value) => ({ value, label: enquiryStatusLabels[value] })),
      ],
    },
  ],
  orders: {
    created_at: [
      { label: 'Newest first', order: 'desc' },
      { label: 'Oldest first', order: 'asc' },
    ],
    updated_at: [{ label: 'Latest change first', order: 'desc' }],
    email: [{ label: 'Email, A to Z', order: 'asc' }],
    status: [{ label: 'By status', order: 'asc' }],
  },
  details: ({ message, goals, enquiry_id }) => (
    <section aria-label="Message">
      <Descriptions>
        <Description term="Message">
          <span className="full-text">{message}</span>
        </Description>
        <Description term="Goals">
          {goals && <span className="full-text">{goals}</span>}
        </Description>
        <Description term="Enquiry id">
          <CopyId id={enquiry_id} what="enquiry id" />
        </Description>
      </Descriptions>
    </section>
  ),
}

function fullName({ first_name, last_name }: AdminEnquiry): string {
  return `${first_name} ${last_name}`
}

const actions: Readonly<Record<SettableEnquiryStatus, string>> = {
  inprogress: 'In Progress',
  closed: 'Close',
}

/** Sets a status directly from any other status. */
function StatusButtons({ enquiry }: { enquiry: AdminEnquiry }) {
  const [update, { isLoading }] = useUpdateEnquiryMutation()
  const mayChange = useMay('enquiries')

  async function set(status: SettableEnquiryStatus): Promise<void> {
    if (isLoading) return
    const { error } = await update({ enquiryId: enquiry.enquiry_id, status })
    if (error) showToast('error', errorText(error, 'Failed to update status'))
    else showToast('success', 'Status updated successfully')
  }

  if (!mayChange) return null
  return (
    <span className="row-actions">
      {settableEnquiryStatuses.map((status) => (
        <button
          key={status}
          type="button"
          className="row-action"
          aria-label={`${actions[status]}: the enquiry of ${enquiry.email}`}
          aria-disabled={isLoading || undefined}
          onClick={() => void set(status)}
        >
          {actions[status]}
        </button>
      ))}
    </span>
  )
}
