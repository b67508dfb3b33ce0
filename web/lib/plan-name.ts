/** The name of a subscription's plan. Source: specification, section 3, "Confirmation page". */
export function planName({
  plan_name,
  name,
}: {
  readonly plan_name: string
  readonly name: string
}): string {
  return plan_name || name || 'Premium Plan'
}
