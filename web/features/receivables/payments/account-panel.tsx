import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { feeInWords } from '#contracts/receivables/fee'
import type { PaymentSettings } from '#contracts/receivables/payments'
import { useConnectAccountMutation, useOpenAccountMutation } from '../../../api/payments-api.ts'
import { browser } from '../../../lib/browser.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { ErrorBox } from '../../../ui/error-box.tsx'
import { useSending } from '../acts/use-sending.ts'
import { accountInWords, needsInWords } from './account-words.ts'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { useAccount } from './use-account.ts'

interface AccountPanelProps {
  readonly settings: PaymentSettings
  readonly timeZone: string
}

/** The merchant's account at the payment provider, and the fee of the plan. */
export function AccountPanel({ settings, timeZone }: AccountPanelProps) {
  const { access, provider, feeBasisPoints } = settings
  const { account, isAsking, isUnanswered, ask } = useAccount(settings)
  const [connect] = useConnectAccountMutation()
  const [open] = useOpenAccountMutation()
  const { busy, problem, send } = useSending<{ readonly url: string }>()
  const [disconnects, setDisconnects] = useState(false)
  const { accountId } = account
  const { tone, chip, sentence, next } = accountInWords(account, provider)
  const needs = needsInWords(account, provider, timeZone)
  const mayGo = access.mayAct || next.to === 'pages'

  return (
    <section className="panel" aria-labelledby="account">
      <header>
        <h2 id="account">{provider} account</h2>
        <Chip tone={tone}>{chip}</Chip>
      </header>
      <div className="panel-body ways-body">
        <Return provider={provider} isOpen={next.to === 'form'} />
        <div role="status" className="ways-status">
          <p>{sentence}</p>
          {needs !== null && <p>{needs}</p>}
          {isUnanswered && <p>{provider} did not answer just now. This is what it said last.</p>}
        </div>
        <ErrorBox text={problem} />
        <div className="ways-acts">
          {mayGo && (
            <Button
              look={next.isMain ? 'go' : 'line'}
              busy={busy}
              onClick={() =>
                void send(
                  (key) => (next.to === 'form' ? connect({ key }) : open({ key })),
                  ({ url }) => browser.goTo(url),
                )
              }
            >
              {next.name}
            </Button>
          )}
          {accountId !== null && (
            <>
              <Button look="line" busy={isAsking} onClick={ask}>
                Check again
              </Button>
              <Button look="link" className="ways-remove" onClick={() => setDisconnects(true)}>
                Disconnect
              </Button>
            </>
          )}
        </div>
        {accountId !== null && <p className="ways-hint mono">{accountId}</p>}
      </div>
      <p className="ways-fee">
        {feeBasisPoints === null
          ? 'The fee on payments by card is that of your plan. You have none now.'
          : feeInWords(feeBasisPoints, provider)}
      </p>
      {disconnects && accountId !== null && (
        <DisconnectDialog
          accountId={accountId}
          provider={provider}
          onClose={() => setDisconnects(false)}
        />
      )}
    </section>
  )
}

/** After the provider's form: its link is used once, and the return says nothing of the answers. */
function Return({ provider, isOpen }: { readonly provider: string; readonly isOpen: boolean }) {
  const [search] = useSearchParams()
  if (search.get('account') !== 'expired' || !isOpen) return null
  return (
    <p className="ways-note">
      The link to {provider} has expired, or was opened before. Press the button for a new one.
    </p>
  )
}
