import type { SenderNameResponse } from '#contracts/receivables/brand'
import type { AdminSubscription } from '#contracts/admin/active-subscriptions'
import type { AdminEnquiry } from '#contracts/admin/enquiries'
import type { AdminPayment } from '#contracts/admin/payments'
import type { AdminRefund } from '#contracts/admin/refunds'
import type { SendingResponse } from '#contracts/admin/sending'
import type { AdminSummary } from '#contracts/admin/summary'
import type { AdminUser } from '#contracts/admin/users'

export function aUser(overrides: Partial<AdminUser> = {}): AdminUser {
  return {
    user_id: 'usr_1',
    email: 'dana@birchwooddental.example',
    secondary_email: null,
    is_primary_email_active: true,
    blocked: false,
    user_type: 4,
    created_at: '2025-03-14T10:00:00.000Z',
    active_plans: 1,
    active_plan_details: [{ id: 'monthly', name: 'Monthly Plan' }],
    total_active_accounts: 2,
    clients: 12,
    open_receivables: 1034,
    latest_expiration: '2026-04-03T09:12:00.000Z',
    total_spent: 494.2,
    currency: 'usd',
    lost_disputes: 0,
    full_name: 'Dana Whitlock',
    company_name: 'Birchwood Dental Group',
    company_domain: 'Dental',
    company_website_url: null,
    company_address: '418 Orchard Lane, Suite 2, Duluth, Minnesota 55802',
    support_email: 'help@birchwooddental.example',
    support_phone: '(218) 555-0147',
    ...overrides,
  }
}

export const summary: AdminSummary = {
  totalUsers: 1284,
  activeUsers: 1271,
  totalRevenue: 41309,
  currency: 'usd',
  otherRevenue: [{ currency: 'eur', amount: 12.5 }],
  lostDisputes: 0,
  activePlans: 412,
  activeSubscriptions: 397,
  newEnquiries: 3,
  payments: 2906,
  failedPayments: 12,
  pastDueSubscriptions: 5,
  enquiries: 64,
  usersByType: { emailOnly: 318, withCompany: 146, verified: 371, paying: 449 },
  refunds: {
    total: 37,
    totalAmount: 1182.4,
    otherAmounts: [{ currency: 'eur', amount: 4.5 }],
    succeeded: 31,
    full: 18,
    partial: 12,
    proration: 7,
  },
  trends: [
    {
      at: '2026-02-01T00:00:00.000Z',
      totalUsers: 1190,
      activeUsers: 1180,
      totalRevenue: 38_120,
      activePlans: 388,
      activeSubscriptions: 371,
    },
    {
      at: '2026-03-20T12:00:00.000Z',
      totalUsers: 1284,
      activeUsers: 1271,
      totalRevenue: 41_309,
      activePlans: 412,
      activeSubscriptions: 397,
    },
  ],
  poisonEvents: [],
  poisonEventCount: 0,
}

export function aPayment(overrides: Partial<AdminPayment> = {}): AdminPayment {
  return {
    payment_id: 'in_1TbQ8x',
    user_id: 'usr_1',
    created_at: '2026-03-03T09:12:05.000Z',
    customer_name: 'Dana Whitlock',
    customer_email: 'dana@birchwooddental.example',
    support_email: 'help@birchwooddental.example',
    support_phone: '(218) 555-0147',
    billing_address_line1: '418 Orchard Lane',
    billing_city: 'Duluth',
    billing_state: 'MN',
    billing_country: 'US',
    currency: 'usd',
    amount_total: 39,
    amount_subtotal: 39,
    revenue: 39,
    payment_status: 'paid',
    plan_id: 'monthly',
    plan_name: 'Monthly Plan',
    payment_method: 'Visa ending 4242',
    card_expiry: '08/28',
    expiration_date: '2026-04-03T09:12:05.000Z',
    user_blocked: false,
    failure: null,
    ...overrides,
  }
}

export function aPlan(overrides: Partial<AdminSubscription> = {}): AdminSubscription {
  return {
    subscription_id: 'sub_1',
    stripe_subscription_id: 'sub_1TYh6mK2vLm',
    user_id: 'usr_1',
    user_name: 'Dana Whitlock',
    user_email: 'dana@birchwooddental.example',
    company_name: 'Birchwood Dental Group',
    plan_id: 'monthly',
    plan_name: 'Monthly Plan',
    interval: 'month',
    price: 39,
    currency: 'usd',
    status: 'active',
    created_at: '2025-03-14T10:00:00.000Z',
    current_period_start: '2026-03-03T09:12:00.000Z',
    current_period_end: '2026-04-03T09:12:00.000Z',
    paid_until: '2026-04-03T09:12:00.000Z',
    cancel_at: null,
    manage_url: '/api/portal/sub_1TYh6mK2vLm?action=manage',
    cancellation_url: '/api/portal/sub_1TYh6mK2vLm?action=cancel',
    user_blocked: false,
    ...overrides,
  }
}

export function anEnquiry(overrides: Partial<AdminEnquiry> = {}): AdminEnquiry {
  return {
    enquiry_id: 'enq_1',
    first_name: 'Teo',
    last_name: 'Lindqvist',
    email: 't.lindqvist@northfieldmotors.example',
    phone_number: '(507) 555-0102',
    message: 'How do reminders stop when an invoice is paid?',
    goals: 'Fewer calls',
    status: 'open',
    created_at: '2026-03-19T08:30:00.000Z',
    updated_at: '2026-03-20T08:30:00.000Z',
    user_blocked: false,
    ...overrides,
  }
}

export function aRefund(overrides: Partial<AdminRefund> = {}): AdminRefund {
  return {
    refund_id: 're_3Tc',
    user_id: 'usr_1',
    user_name: 'Dana Whitlock',
    user_email: 'dana@birchwooddental.example',
    plan_name: 'Monthly Plan',
    currency: 'usd',
    amount: 19.5,
    status: 'succeeded',
    provider_status: 'succeeded',
    is_overridden: false,
    override_reason: null,
    reason: 'requested_by_customer',
    memo: null,
    refund_type: 'partial',
    payment_id: 'in_1TbQ8x',
    subscription_id: 'sub_1TYh6mK2vLm',
    original_payment_amount: 39,
    created_at: '2026-03-05T09:12:00.000Z',
    user_blocked: false,
    ...overrides,
  }
}

/** One page of a list. `total` counts the items of all pages. */
export const pageOf = <Item>(
  items: readonly Item[],
  { page = 1, pageSize = 20, total = items.length } = {},
) => ({
  items: [...items],
  total,
  totalIsExact: true,
  page,
  pageSize,
})

/** The messages of a merchant that has the limits of a new one. */
export function aSending(changes: Partial<SendingResponse> = {}): SendingResponse {
  return {
    remindersAreOn: false,
    stopped: null,
    limits: { firstWeek: 200, later: 2_000 },
    ...changes,
  }
}

export function aSenderName(changes: Partial<SenderNameResponse> = {}): SenderNameResponse {
  return { companyName: 'Birchwood Dental Group', senderName: null, state: 'company', ...changes }
}
