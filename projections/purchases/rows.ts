import type { SubscriptionStatus } from '#contracts/subscription-status'

/** A bigint of minor units: a number after folding, text when pg has read it. */
export type MinorUnits = number | string

/** The rows. Fields are named as the columns. */
export interface CustomerRow {
  readonly user_id: string
  readonly email: string
  readonly secondary_email: string | null
  readonly is_primary_email_active: boolean
  readonly full_name: string | null
  readonly company_name: string | null
  readonly domain: string | null
  readonly website_url: string | null
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zipcode: string | null
  readonly support_email: string | null
  readonly support_phone: string | null
}

export interface SubscriptionRow {
  readonly subscription_id: string
  readonly user_id: string
  readonly stripe_subscription_id: string
  readonly plan_id: string | null
  readonly plan_name: string
  readonly price_minor: MinorUnits
  readonly currency: string
  readonly interval_unit: string
  readonly interval_count: number
  readonly status: SubscriptionStatus
  readonly started_at: Date
  readonly current_period_start: Date
  readonly current_period_end: Date
  readonly cancel_at: Date | null
  readonly cancellation_id: string | null
  readonly ended_at: Date | null
}

export interface ChargeRow {
  readonly charge_id: string
  readonly user_id: string
  readonly payment_id: string
  readonly invoice_id: string
  readonly stripe_payment_intent_id: string | null
  readonly subscription_id: string | null
  readonly status: 'paid' | 'failed'
  readonly amount_minor: MinorUnits
  readonly currency: string
  readonly plan_id: string | null
  readonly plan_name: string | null
  readonly payment_method: string
  readonly period_end: Date | null
  readonly occurred_at: Date
}

export interface ChangeRow {
  readonly change_id: string
  readonly user_id: string
  readonly subscription_id: string
  readonly change_type: 'upgrade' | 'downgrade' | 'cancellation'
  readonly asked_at: Date
  readonly effective_at: Date
  readonly withdrawn_at: Date | null
  readonly old_plan_name: string | null
  readonly new_plan_name: string | null
  readonly old_interval: string | null
  readonly new_interval: string | null
  readonly old_next_billing: Date | null
  readonly new_next_billing: Date | null
  readonly proration_minor: MinorUnits | null
  readonly currency: string
}
