import type { PaymentAccount, PaymentSettings } from '#contracts/receivables/payments'
import { useRefreshAccountQuery } from '../../../api/payments-api.ts'

interface AskedAccount {
  readonly account: PaymentAccount
  readonly isAsking: boolean
  /** The provider did not answer: what is shown can be out of date. */
  readonly isUnanswered: boolean
  readonly ask: () => void
}

/** The account as it is recorded, and then as the payment provider says. */
export function useAccount({ account }: Pick<PaymentSettings, 'account'>): AskedAccount {
  const { accountId } = account
  const asked = useRefreshAccountQuery(
    { accountId: accountId ?? '' },
    { skip: accountId === null, refetchOnMountOrArgChange: true },
  )
  const answer = accountId === null ? undefined : asked.data?.account
  // What was recorded after the answer is newer.
  const isAnswer = answer?.accountId === accountId && answer?.since === account.since
  return {
    account: isAnswer && answer !== undefined ? answer : account,
    isAsking: asked.isFetching,
    isUnanswered: accountId !== null && asked.isError && !asked.isFetching,
    ask: () => void asked.refetch(),
  }
}
