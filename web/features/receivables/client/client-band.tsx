import type { ClientResponse } from '#contracts/receivables/clients'
import { Button } from '../../../ui/button.tsx'
import type { ChosenClientAct } from '../acts/client-forms.ts'

type BandAct = Exclude<ChosenClientAct['type'], 'return-credit' | 'change'>

interface ClientBandProps {
  readonly page: ClientResponse
  readonly onAct: (type: BandAct) => void
}

/** The acts on a client that make sense now. */
export function ClientBand({ page, onAct }: ClientBandProps) {
  const { hold, textConsent, client } = page
  return (
    <div className="rcv-band" role="group" aria-label="Acts on the client">
      <Button look="line" onClick={() => onAct(hold === null ? 'hold' : 'release')}>
        {hold === null ? 'Hold' : 'Release the hold'}
      </Button>
      {textConsent !== null && (
        <Button look="line" onClick={() => onAct('withdraw-text-consent')}>
          Withdraw the consent to texts
        </Button>
      )}
      {textConsent === null && client.phone !== null && (
        <Button look="line" onClick={() => onAct('record-text-consent')}>
          Record consent to texts
        </Button>
      )}
      <Button look="risk" onClick={() => onAct('erase')}>
        Erase
      </Button>
    </div>
  )
}
