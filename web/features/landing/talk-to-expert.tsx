import { Link } from 'react-router-dom'
import { useInView } from '../../lib/use-in-view.ts'
import { buttonClass } from '../../ui/button.tsx'
import './talk-to-expert.css'

/** The floating button: shown below the hero, except beside the contact section. */
export function TalkToExpert() {
  const heroInView = useInView('hero')
  const contactInView = useInView('contact')
  const isShown = heroInView === false && contactInView === false
  return (
    <Link
      className={buttonClass({}, `talk-to-expert ${isShown ? '' : 'talk-to-expert-away'}`)}
      to="#contact"
    >
      Talk to an Expert
    </Link>
  )
}
