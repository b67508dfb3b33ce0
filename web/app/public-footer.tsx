import { Link } from 'react-router-dom'
import { brand } from '#contracts/brand/brand'
import { pageYear } from '../lib/page-year.ts'
import { Logo } from '../ui/logo.tsx'
import './public-footer.css'

export function PublicFooter() {
  return (
    <footer className="public-footer">
      <div>
        <Logo />
        <nav aria-label="Footer">
          <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
          <a href={brand.social.url}>{brand.social.label}</a>
          <Link to="/privacy-policy">Privacy Policy</Link>
          <Link to="/terms">Terms</Link>
        </nav>
        <p>
          © {pageYear()} {brand.name}. All rights reserved.
        </p>
      </div>
    </footer>
  )
}
