import { catalogue, type Plan } from './brand/plan-catalogue.ts'

/*
 * The plans by id, and what follows from them: the settings, the sandbox's prices and the public
 * plan. The plans themselves are in brand/plan-catalogue.ts. Free of zod, so that the landing page
 * can show a price without loading a validator.
 */

export type PlanId = (typeof catalogue)[number]['id']
export type PlanDefinition = Plan<PlanId>
export const plans: readonly PlanDefinition[] = catalogue

/** The plan that the public pages show. */
export const publicPlan = planOnPages()

function planOnPages(): PlanDefinition {
  const marked = plans.filter((candidate) => candidate.public)
  const [plan] = marked
  if (plan && marked.length === 1) return plan
  const found = marked.length === 0 ? 'no plan' : marked.map(({ id }) => id).join(', ')
  throw new Error(
    `The public pages show one plan, but ${found} is public. Mark one plan as public in contracts/brand/plan-catalogue.ts.`,
  )
}

/** @throws Error if the plan catalogue has no plan with this id. */
export function planById(id: PlanId): PlanDefinition {
  const plan = plans.find((candidate) => candidate.id === id)
  if (!plan)
    throw new Error(
      `The plan catalogue has no plan '${id}'. Add it to contracts/brand/plan-catalogue.ts.`,
    )
  return plan
}

type SnakeCase<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Head}_${SnakeCase<Rest>}`
  : Text

function snakeCase<Text extends string>(text: Text): SnakeCase<Text> {
  return text.replaceAll('-', '_') as SnakeCase<Text>
}

/**
 * The setting that holds the id of the plan's price at Stripe: `STRIPE_PRICE_SIX_MONTH` for
 * `six-month`.
 */
export type PriceSetting = { [Id in PlanId]: `STRIPE_PRICE_${Uppercase<SnakeCase<Id>>}` }[PlanId]

export function priceSettingOf(planId: PlanId): PriceSetting {
  return `STRIPE_PRICE_${snakeCase(planId).toUpperCase()}` as PriceSetting
}

/** The plan's price in the sandbox: `price_sandbox_six_month` for `six-month`. */
export function sandboxPriceIdOf(planId: PlanId): string {
  return `price_sandbox_${snakeCase(planId)}`
}

/** The plan's product in the sandbox: `prod_sandbox_six_month` for `six-month`. */
export function sandboxProductIdOf(planId: PlanId): string {
  return `prod_sandbox_${snakeCase(planId)}`
}
