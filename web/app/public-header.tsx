import { Link, useLocation } from 'react-router-dom'
import { useLogin } from '../lib/login-request.ts'
import { useStored } from '../lib/stored-values.ts'
import { useActiveSection } from '../lib/use-active-section.ts'
import { Button } from '../ui/button.tsx'
import { Logo } from '../ui/logo.tsx'
import { AccountMenu } from './account-menu.tsx'
import { landingSections } from './landing-sections.ts'
import './public-header.css'

const none: readonly string[] = []
const watched = landingSections.filter(({ isMarked }) => isMarked).map(({ id }) => id)

/** Links to the landing page's sections, on every public page. */
function SectionLinks({ isOnLanding }: { isOnLanding: boolean }) {
  const active = useActiveSection(isOnLanding ? watched : none)
  return (
    <nav aria-label="Sections">
      {landingSections.map(({ id, label }) => (
        <Link key={id} to={`/#${id}`} aria-current={active === id ? 'location' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  )
}

function LoginButton() {
  const login = useLogin()
  return (
    <Button onClick={() => login.open()} onPointerEnter={login.prepare} onFocus={login.prepare}>
      Login
    </Button>
  )
}

export function PublicHeader() {
  const { pathname } = useLocation()
  const email = useStored('userEmail')
  return (
    <header className="public-header">
      <div>
        <Logo />
        <SectionLinks isOnLanding={pathname === '/'} />
        <div className="public-header-account">
          <AccountMenu />
          {email === null && <LoginButton />}
        </div>
      </div>
    </header>
  )
}
