import { z } from 'zod'
import { enquiryStatuses, settableEnquiryStatuses } from '../enquiry-status.ts'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { dayRange, listQuery, pageOf } from '../paging.ts'

const adminEnquiry = z.object({
  enquiry_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  message: z.string(),
  goals: z.string(),
  status: openEnum(enquiryStatuses),
  created_at: instant,
  updated_at: instant,
  /** Whether the address is that of a blocked user. */
  user_blocked: z.boolean(),
})

/** The sortable columns of the enquiries table. The first key is the default. */
export const enquirySortKeys = ['created_at', 'updated_at', 'email', 'status'] as const
export type EnquirySortKey = (typeof enquirySortKeys)[number]

export const adminEnquiriesQuery = listQuery(enquirySortKeys).extend({
  status: z.enum(['all', ...enquiryStatuses]).default('all'),
  ...dayRange,
})
export const adminEnquiriesResponse = pageOf(adminEnquiry)

/** `PATCH /api/admin/enquiries/{id}`. */
export const updateEnquiryRequest = z.object({ status: z.enum(settableEnquiryStatuses) })
export const updateEnquiryResponse = z.object({
  enquiry_id: z.string(),
  status: openEnum(enquiryStatuses),
})

export type AdminEnquiry = z.infer<typeof adminEnquiry>
export type AdminEnquiriesQuery = z.infer<typeof adminEnquiriesQuery>

nameContracts({
  AdminEnquiry: adminEnquiry,
  AdminEnquiriesPage: adminEnquiriesResponse,
  UpdateEnquiryRequest: updateEnquiryRequest,
  UpdateEnquiryResponse: updateEnquiryResponse,
})
