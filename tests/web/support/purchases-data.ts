import type { PlanOptionsResponse } from '#contracts/checkout'
import type {
  Payment,
  PaymentsResponse,
  Subscription,
  SubscriptionChange,
  Transaction,
  UnpaidInvoice,
} from '#contracts/purchases'

/** The current time of the tests. */
export const today = '2026-03-21T15:00:00.000Z'

export function aSubscription(overrides: Partial<Subscription> = {}): Subscription {
  return {
    id: 'sub_1TYh6mK2vLm',
    subscription_id: 'sub_1TYh6mK2vLm',
    stripe_subscription_id: 'sub_1TYh6mK2vLm',
    name: 'Monthly Plan',
    plan_name: 'Monthly Plan',
    plan_id: 'monthly',
    status: 'active',
    interval: 'month',
    plan_interval: 'month',
    price: 39,
    currency: 'usd',
    metadata: {
      custom_interval: null,
      plan_interval: null,
      pending_replacement: false,
      is_plan_change: false,
    },
    cancel_at_period_end: false,
    will_cancel: false,
    cancel_at: null,
    resumes_at: null,
    next_subscription_id: null,
    previous_subscription_id: null,
    is_plan_change: false,
    current_period_start: '2026-03-03T09:12:00.000Z',
    current_period_end: '2026-04-03T09:12:00.000Z',
    paid_until: '2026-04-03T09:12:00.000Z',
    related_payment_id: null,
    onboarding_ends_at: '2026-03-11T13:12:00.000Z',
    unpaid_invoices: [],
    manage_url: '/api/portal/sub_1TYh6mK2vLm?action=manage',
    ...overrides,
  }
}

export function aPayment(overrides: Partial<Payment> = {}): Payment {
  return {
    payment_id: 'in_1TbQ8x',
    amount_total: 39,
    currency: 'usd',
    payment_method: 'Visa ending 4242',
    payment_status: 'paid',
    stripe_payment_intent_id: 'pi_3TbQ8xK2vLm41',
    created_at: '2026-03-03T09:12:00.000Z',
    plan_name: 'Monthly Plan',
    plan_status: 'active',
    plan_accounts: 'Unlimited',
    plan_id: 'monthly',
    ...overrides,
  }
}

export function aTransaction(overrides: Partial<Transaction> = {}): Transaction {
  return {
    id: 'in_1TbQ8x',
    type: 'payment',
    amount: 39,
    currency: 'usd',
    status: 'paid',
    created_at: '2026-03-03T09:12:00.000Z',
    stripe_id: 'pi_3TbQ8xK2vLm41',
    description: 'Monthly Plan',
    payment_method: 'Visa ending 4242',
    reason: null,
    memo: null,
    receipt_url: '/receipts/in_1TbQ8x',
    ...overrides,
  }
}

export function aChange(overrides: Partial<SubscriptionChange> = {}): SubscriptionChange {
  return {
    change_id: 'change-1',
    change_type: 'upgrade',
    change_date: '2026-03-18T10:00:00.000Z',
    effective_date: '2026-04-03T09:12:00.000Z',
    original_plan_name: 'Monthly Plan',
    previous_plan: 'monthly',
    new_plan_name: 'Annual Plan',
    new_plan: 'annual',
    proration_amount: null,
    currency: 'usd',
    created_at: '2026-03-18T10:00:00.000Z',
    old_plan: 'monthly',
    old_interval: 'month',
    new_interval: 'year',
    old_next_billing: '2026-04-03T09:12:00.000Z',
    new_next_billing: '2027-04-03T09:12:00.000Z',
    withdrawn_date: null,
    ...overrides,
  }
}

/** A customer with a monthly plan and one payment. */
export function aPaymentsResponse(overrides: Partial<PaymentsResponse> = {}): PaymentsResponse {
  return {
    payments: [aPayment()],
    refunds: [],
    transactions: [aTransaction()],
    activeSubscriptions: [aSubscription()],
    allSubscriptions: [aSubscription()],
    defaultPaymentMethod: { name: 'Visa ending 4242', expires: '08/28' },
    userInfo: {
      user_id: 'usr_8F2C41D07A',
      full_name: 'Dana Whitlock',
      email: 'dana@birchwooddental.example',
      secondary_email: 'billing@birchwooddental.example',
      is_primary_email_active: true,
    },
    companyInfo: {
      name: 'Birchwood Dental Group',
      domain: 'Dental',
      website_url: 'https://birchwooddental.example',
      address: '418 Orchard Lane, Suite 2',
      city: 'Duluth',
      state: 'Minnesota',
      zipcode: '55802',
      support_email: 'help@birchwooddental.example',
      support_phone: '(218) 555-0147',
    },
    ...overrides,
  }
}

export function anUnpaidInvoice(overrides: Partial<UnpaidInvoice> = {}): UnpaidInvoice {
  return {
    payment_id: 'payment_1TbQ8x',
    amount: 39,
    currency: 'usd',
    failed_at: '2026-03-20T09:12:00.000Z',
    reason: 'The card has expired.',
    needs_confirmation: false,
    payment_method: 'Visa ending 0341',
    next_attempt_at: '2026-03-23T09:12:00.000Z',
    ...overrides,
  }
}

/** The plans of a customer with the monthly plan. */
export function planOptions(overrides: Partial<PlanOptionsResponse> = {}): PlanOptionsResponse {
  return {
    subscriptionId: aSubscription().subscription_id,
    obstacle: null,
    plans: [
      {
        id: 'monthly',
        name: 'Monthly Plan',
        price: 39,
        currency: 'usd',
        interval: 'month',
        feeOnCustomerPayments: '5%',
        isCurrent: true,
      },
      {
        id: 'six-month',
        name: 'Six-Month Plan',
        price: 199,
        currency: 'usd',
        interval: '6_month',
        feeOnCustomerPayments: '5%',
        isCurrent: false,
      },
      {
        id: 'annual',
        name: 'Annual Plan',
        price: 359,
        currency: 'usd',
        interval: 'year',
        feeOnCustomerPayments: '3%',
        isCurrent: false,
      },
    ],
    ...overrides,
  }
}
