import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import type { ClientResponse } from '#contracts/receivables/clients'
import { useGetClientQuery } from '../../../api/receivables-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { AddInvoiceDialog } from '../acts/add-invoice-dialog.tsx'
import { ClientActDialog } from '../acts/client-act-dialog.tsx'
import type { ChosenClientAct } from '../acts/client-forms.ts'
import { ComingRows } from '../messages/coming-rows.tsx'
import { MessageDialogs, type OpenedMessage } from '../messages/message-dialogs.tsx'
import { NextMessage } from '../messages/next-message.tsx'
import { sumsText } from '../shared/amounts.ts'
import { AccessBanner, AreaPage } from '../shared/area-page.tsx'
import { countOf, fullDay } from '../shared/days.ts'
import { FigureDrawer, type OpenFigure } from '../shared/figure-drawer.tsx'
import { LoadFailure } from '../shared/load-failure.tsx'
import { LoadingRows } from '../shared/loading.tsx'
import { clientsPath } from '../shared/paths.ts'
import { MarkLegend } from '../shared/mark-legend.tsx'
import { DaysToPay, PromisesKept, RemindersFollowed } from '../shared/paying-readouts.tsx'
import { PayingStrip } from '../shared/paying-strip.tsx'
import { PickedEvents } from '../shared/picked-events.tsx'
import { Readouts } from '../shared/readout.tsx'
import { Timeline } from '../shared/timeline.tsx'
import { ClientBand } from './client-band.tsx'
import { ClientFigures } from './client-figures.tsx'
import { ClientInvoices } from './client-invoices.tsx'
import { ContactPanel } from './contact-panel.tsx'
import { Credits } from './credits.tsx'
import { PortalPanel } from './portal-panel.tsx'
import { Statement } from './statement.tsx'

export function ClientPage() {
  const { clientId = '' } = useParams()
  return (
    <AreaPage title="Client" goal="your clients">
      <ClientOf key={clientId} clientId={clientId} />
    </AreaPage>
  )
}

function ClientOf({ clientId }: { clientId: string }) {
  const reading = useGetClientQuery({ clientId })
  if (reading.data !== undefined) return <Client page={reading.data} />
  return (
    <>
      <PageHead title="Client" />
      <section className="panel" aria-label="Client">
        {reading.isError ? (
          <LoadFailure
            what="the client"
            error={reading.error}
            retrying={reading.isFetching}
            onRetry={() => void reading.refetch()}
          />
        ) : (
          <LoadingRows what="the client" />
        )}
      </section>
    </>
  )
}

function Client({ page }: { page: ClientResponse }) {
  const [params, setParams] = useSearchParams()
  const [act, setAct] = useState<ChosenClientAct | null>(null)
  const [isAdding, setAdding] = useState(false)
  const [opened, setMessage] = useState<OpenedMessage | null>(null)
  const [showsCredits, setShowsCredits] = useState(false)
  const { access, client, today, timeZone, hold } = page
  const [figure, setFigure] = useState<OpenFigure | null>(null)
  /** Undefined: the merchant's. */
  const currency = page.balances[0]?.currency
  const mayAct = access.mayAct && !client.isErased
  const isHeld = hold !== null && !hold.isOver
  const asked = access.mayAct ? params.get('act') : null
  const message =
    opened ?? (asked === 'send-now' && mayAct ? ({ kind: 'send-now' } as const) : null)
  const open = act ?? linkedAct(asked, page)

  function showCredits(value: boolean): void {
    setShowsCredits(value)
    document.getElementById('history')?.focus()
  }

  function close(): void {
    setAct(null)
    setMessage(null)
    if (params.has('act')) setParams({}, { replace: true, preventScrollReset: true })
  }

  return (
    <>
      <AccessBanner access={access} />
      <ClientHead
        page={page}
        mayAct={mayAct}
        onChange={() => setAct({ type: 'change' })}
        onAddInvoice={() => setAdding(true)}
      />
      <section className="panel" aria-label="What the client owes">
        <ClientFigures page={page} onOpen={setFigure} onPickCredits={() => showCredits(true)} />
        {isHeld && (
          <p className="rcv-restricted" dir="auto">
            On hold {hold.until === null ? 'until you release it' : `until ${fullDay(hold.until)}`}:{' '}
            {hold.reason}
          </p>
        )}
        {!client.isErased && <ClientBand page={page} onAct={(type) => setAct({ type })} />}
      </section>
      <PayingStrip query={{ currency, client: client.clientId }} title="How the client pays">
        {(paying) => (
          <Readouts of={3}>
            <DaysToPay paying={paying} client={client.clientId} onOpen={setFigure} />
            <PromisesKept paying={paying} client={client.clientId} onOpen={setFigure} />
            <RemindersFollowed paying={paying} client={client.clientId} onOpen={setFigure} />
          </Readouts>
        )}
      </PayingStrip>
      {figure && (
        <FigureDrawer
          figure={figure}
          asOf={today}
          currency={currency}
          onClose={() => setFigure(null)}
        />
      )}
      <div className="rcv-two rcv-client">
        <div className="rcv-column">
          <ClientInvoices clientId={client.clientId} />
          <Statement clientId={client.clientId} today={today} />
          <ClientHistory
            page={page}
            showsCredits={showsCredits}
            onShowAll={() => showCredits(false)}
            onOpenMessage={(messageId) => setMessage({ kind: 'words', messageId })}
          />
        </div>
        <ClientColumn page={page} mayAct={mayAct} onAct={setAct} onMessage={setMessage} />
      </div>
      <MessageDialogs
        opened={message}
        clientId={client.clientId}
        timeZone={timeZone}
        onClose={close}
      />
      {open && <ClientActDialog act={open} page={page} onClose={close} />}
      {isAdding && (
        <AddInvoiceDialog
          today={today}
          currency={currency ?? 'usd'}
          client={client}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

interface ClientHeadProps {
  readonly page: ClientResponse
  readonly mayAct: boolean
  readonly onChange: () => void
  readonly onAddInvoice: () => void
}

function ClientHead({ page, mayAct, onChange, onAddInvoice }: ClientHeadProps) {
  const { client, hold } = page
  const isHeld = hold !== null && !hold.isOver
  return (
    <>
      <p className="rcv-crumb">
        <Link to={clientsPath}>Clients</Link> / <span dir="auto">{client.name}</span>
      </p>
      <PageHead
        title={client.name}
        chip={
          <>
            {isHeld && <Chip tone="pending">On hold</Chip>}
            {(page.bounced.mail || page.bounced.text) && <Chip tone="failed">Bounced</Chip>}
            {page.stops.mail !== null && <Chip tone="ended">E-mails stopped</Chip>}
            {page.stops.text !== null && <Chip tone="ended">Texts stopped</Chip>}
          </>
        }
        note={
          <>
            {client.number !== null && `${client.number}, `}
            {countOf(page.invoices, 'invoice')}, added {fullDay(client.addedAt)}
          </>
        }
        actions={
          mayAct && (
            <div className="rcv-acts">
              <Button look="line" onClick={onChange}>
                Change
              </Button>
              <Button onClick={onAddInvoice}>Add invoice</Button>
            </div>
          )
        }
      />
    </>
  )
}

interface ClientHistoryProps {
  readonly page: ClientResponse
  /** Only what changed the client's credits. */
  readonly showsCredits: boolean
  readonly onShowAll: () => void
  readonly onOpenMessage: (messageId: string) => void
}

function ClientHistory({ page, showsCredits, onShowAll, onOpenMessage }: ClientHistoryProps) {
  const { today, timeZone, timeline, timelineIsWhole, coming } = page
  const shown = showsCredits ? timeline.filter(({ type }) => creditEvents.has(type)) : timeline
  return (
    <div id="history" tabIndex={-1}>
      <Panel title="Timeline" padded={false} actions={<MarkLegend events={timeline} />}>
        {showsCredits && (
          <PickedEvents figure="Credit" count={shown.length} onShowAll={onShowAll} />
        )}
        <Timeline
          events={shown}
          today={today}
          timeZone={timeZone}
          namesInvoices
          now={nowSentence(page)}
          coming={
            !showsCredits && (
              <ComingRows coming={coming} timeZone={timeZone} receivableId={null} onSkip={null} />
            )
          }
          onOpenMessage={onOpenMessage}
        />
        {!timelineIsWhole && (
          <p className="rcv-restricted">
            The latest {timeline.length} events. Each invoice has its whole history.
          </p>
        )}
      </Panel>
    </div>
  )
}

interface ClientColumnProps {
  readonly page: ClientResponse
  readonly mayAct: boolean
  readonly onAct: (act: ChosenClientAct) => void
  readonly onMessage: (message: OpenedMessage) => void
}

/** What goes out next, and where it goes. */
function ClientColumn({ page, mayAct, onAct, onMessage }: ClientColumnProps) {
  const { access, client, timeZone, coming, credits } = page
  return (
    <div className="rcv-column">
      {page.openInvoices > 0 && !client.isErased && (
        <NextMessage
          coming={coming}
          timeZone={timeZone}
          receivableId={null}
          mayAct={mayAct}
          onSendNow={() => onMessage({ kind: 'send-now' })}
          onSkip={(step) => onMessage({ kind: 'skip', step })}
        />
      )}
      <ContactPanel page={page} />
      {page.portal !== null && (
        <PortalPanel
          portal={page.portal}
          timeZone={timeZone}
          mayRevoke={mayAct}
          onRevoke={() => onAct({ type: 'revoke-portal-link' })}
        />
      )}
      <Credits
        credits={credits}
        mayReturn={access.mayAct}
        onReturn={(chosen) => onAct({ type: 'return-credit', credit: chosen })}
      />
    </div>
  )
}

/** The act that the page's address asks for. */
function linkedAct(asked: string | null, { access, client, credits }: ClientResponse) {
  const [credit] = credits
  if (asked === 'return-credit' && credit !== undefined)
    return { type: 'return-credit', credit } as const
  return asked === 'change' && access.mayAct && !client.isErased
    ? ({ type: 'change' } as const)
    : null
}

/** They add to a client's credits or take from them. */
const creditEvents: ReadonlySet<string> = new Set([
  'CreditAdded',
  'CreditApplied',
  'CreditRestored',
  'CreditReturned',
  'CreditCanceled',
])

function nowSentence({ balances, openInvoices }: ClientResponse): string {
  const open = balances.filter((balance) => balance.open > 0)
  if (open.length === 0) return 'Owes nothing.'
  return `Owes ${sumsText(open, (balance) => balance.open)} on ${countOf(openInvoices, 'invoice')}.`
}
