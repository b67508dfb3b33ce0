import type { PlanOptionsResponse } from '#contracts/checkout'
import { parseInterval } from '#contracts/billing-interval'
import { useGetPlanOptionsQuery } from '../../api/purchases-api.ts'
import { usePortal } from '../../api/use-portal.ts'
import { perInterval } from '../../lib/billing-interval.ts'
import { errorText } from '../../lib/http.ts'
import { formatMoney } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import './plan-options.css'

/**
 * The plans that the customer can move to, with price, interval and fee. A choice leads to the
 * provider's confirmation, which shows what the change costs now. `isSyncing`: the subscription is
 * being compared with the provider, so the answer can change.
 */
export function PlanOptions({
  subscriptionId,
  isSyncing,
}: {
  readonly subscriptionId: string
  readonly isSyncing: boolean
}) {
  const { data, isError, error, isFetching, refetch } = useGetPlanOptionsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  })
  const { open, opening } = usePortal(subscriptionId)
  if (isError)
    return (
      <div className="plan-options-note" role="alert">
        <p>{errorText(error, 'The plans could not be loaded. Your plan has not changed.')}</p>
        <Button look="line" busy={isFetching} onClick={() => void refetch()}>
          Retry
        </Button>
      </div>
    )
  if (data === undefined)
    return (
      <p className="plan-options-note" role="status">
        <Spinner />
        Loading the plans...
      </p>
    )
  const others = data.plans.filter(({ isCurrent }) => !isCurrent)
  return (
    <>
      <h3 className="plan-options-title">Move to another plan</h3>
      <ul className="plan-options" aria-label="Plans">
        {others.map((plan) => (
          <li key={plan.id}>
            <PlanInWords plan={plan} />
            {data.obstacle === null && (
              <Button
                busy={opening === plan.id}
                disabled={isSyncing || (opening !== null && opening !== plan.id)}
                onClick={() => void open('update', plan.id)}
              >
                Change<span className="sr-only"> to {plan.name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data.obstacle !== null ? (
        <p className="plan-options-note plan-options-obstacle" role="status">
          {data.obstacle}
        </p>
      ) : (
        others.length > 0 && (
          <p className="plan-options-note">
            The next page shows what you pay now, with a credit for the rest of your present period,
            and when the plan starts. Nothing changes before you confirm it.
          </p>
        )
      )}
    </>
  )
}

function PlanInWords({ plan }: { plan: PlanOptionsResponse['plans'][number] }) {
  return (
    <p>
      <b>{plan.name}</b>
      <span className="num">
        {formatMoney(plan.price, plan.currency)}
        <small>/{perInterval(parseInterval(plan.interval))}</small>
      </span>
      <span className="muted">{plan.feeOnCustomerPayments} fee on customer payments</span>
    </p>
  )
}
