import type { AdminEnquiry } from '#contracts/admin/enquiries'
import { enquiryStatusLabels } from '#contracts/enquiry-status'
import { text, time, type Column } from '#services/tables/cell'

export const enquiryColumns: readonly Column<AdminEnquiry>[] = [
  { header: 'First Name', width: 18, cell: (enquiry) => text(enquiry.first_name) },
  { header: 'Last Name', width: 18, cell: (enquiry) => text(enquiry.last_name) },
  { header: 'Email', width: 32, cell: (enquiry) => text(enquiry.email) },
  { header: 'Phone', width: 18, cell: (enquiry) => text(enquiry.phone_number) },
  { header: 'Message', width: 60, cell: (enquiry) => text(enquiry.message) },
  { header: 'Goals', width: 40, cell: (enquiry) => text(enquiry.goals) },
  { header: 'Status', width: 12, cell: (enquiry) => text(enquiryStatusLabels[enquiry.status]) },
  { header: 'Created (UTC)', width: 20, cell: (enquiry) => time(enquiry.created_at) },
  { header: 'Updated (UTC)', width: 20, cell: (enquiry) => time(enquiry.updated_at) },
  {
    header: 'User Blocked',
    width: 12,
    cell: (enquiry) => text(enquiry.user_blocked ? 'Yes' : 'No'),
  },
  { header: 'Enquiry ID', width: 34, cell: (enquiry) => text(enquiry.enquiry_id) },
]
