import type { ClientResponse } from '#contracts/receivables/clients'
import { Button } from '../../../ui/button.tsx'
import type { ChosenClientAct } from '../acts/client-forms.ts'

type BandAct = Exclude<ChosenClientAct['type'], 'return-credit' | 'change' | 'revoke-portal-link'>

interface ClientBandProps {
  readonly page: ClientResponse
  readonly onAct: (type: BandAct) => void
}

/** The acts on a client that make sense now. Erasing is a duty without a plan, too. */
export function ClientBand({ page, onAct }: ClientBandProps) {
  const { access, hold, textConsent, client } = page
  const isHeld = hold !== null && !hold.isOver
  return (
    <div className="rcv-band" role="group" aria-label="Acts on the client">
      {access.mayAct && (
        <Button look="line" onClick={() => onAct(isHeld ? 'release' : 'hold')}>
          {isHeld ? 'Release the hold' : 'Hold'}
        </Button>
      )}
      {access.mayAct && textConsent !== null && (
        <Button look="line" onClick={() => onAct('withdraw-text-consent')}>
          Withdraw the consent to texts
        </Button>
      )}
      {access.mayAct && textConsent === null && client.phone !== null && (
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
