import type { PaymentSettings } from '#contracts/receivables/payments'
import { useGetPaymentSettingsQuery } from '../../../api/payments-api.ts'
import { useGetReceivablesOverviewQuery } from '../../../api/receivables-api.ts'
import { PageHead } from '../../../ui/page-head.tsx'
import { AccessBanner, AreaPage } from '../shared/area-page.tsx'
import { LeaveWarning } from '../shared/leave-warning.tsx'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { AccountPanel } from './account-panel.tsx'
import { FeesPanel } from './fees-panel.tsx'
import { InstructionsPanel } from './instructions-panel.tsx'
import { KeysPanel } from './keys-panel.tsx'
import { LinkPanel, problemOfTyped } from './link-panel.tsx'
import { useTyped } from './use-typed.ts'
import { WaysPreview } from './ways-preview.tsx'
import './payments-page.css'

export function PaymentsPage() {
  return (
    <AreaPage title="Payments" goal="how your clients pay">
      <Payments />
    </AreaPage>
  )
}

/** How clients pay the merchant, and the keys of its programs. */
function Payments() {
  const reading = useGetPaymentSettingsQuery()
  const { data: overview } = useGetReceivablesOverviewQuery({})
  const timeZone = overview?.merchant.timeZone ?? 'UTC'
  const { data } = reading
  return (
    <>
      <AccessBanner access={data?.access} />
      <PageHead title="Payments" note="How your clients pay you" />
      <div className="ways-column">
        {data === undefined ? (
          <section className="panel" aria-label="Ways to pay">
            {reading.isError ? (
              <LoadFailure
                what="the ways to pay"
                error={reading.error}
                retrying={reading.isFetching}
                onRetry={() => void reading.refetch()}
              />
            ) : (
              <LoadingRows what="the ways to pay" rows={8} />
            )}
          </section>
        ) : (
          <Ways settings={data} timeZone={timeZone} />
        )}
        <FeesPanel />
        <KeysPanel timeZone={timeZone} />
      </div>
    </>
  )
}

interface WaysProps {
  readonly settings: PaymentSettings
  readonly timeZone: string
}

function Ways({ settings, timeZone }: WaysProps) {
  const { access, account, gatewayLink } = settings
  const link = useTyped(gatewayLink)
  const instructions = useTyped(settings.instructions)
  const typedLink = link.text.trim()
  const canBeFilled = typedLink !== '' && problemOfTyped(typedLink) === null
  return (
    <div className="rcv-two ways">
      <LeaveWarning
        when={link.isDirty || instructions.isDirty}
        what="The changes of the ways to pay"
      />
      <div className="rcv-column">
        <AccountPanel settings={settings} timeZone={timeZone} />
        <LinkPanel link={link} readOnly={!access.mayAct} />
        <InstructionsPanel instructions={instructions} readOnly={!access.mayAct} />
      </div>
      <div className="rcv-column">
        <WaysPreview
          canCharge={account.state === 'active' || account.state === 'no-payouts'}
          link={canBeFilled ? typedLink : null}
          instructions={instructions.text.trim() === '' ? null : instructions.text.trim()}
        />
      </div>
    </div>
  )
}
