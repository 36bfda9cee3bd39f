/** The icons of cards, as SVG: those of the console. */
import IconBrandFacebook from '@tabler/icons-react/icons/IconBrandFacebook';
import IconBrandGithub from '@tabler/icons-react/icons/IconBrandGithub';
import IconBrandInstagram from '@tabler/icons-react/icons/IconBrandInstagram';
import IconBrandLinkedin from '@tabler/icons-react/icons/IconBrandLinkedin';
import IconBrandTiktok from '@tabler/icons-react/icons/IconBrandTiktok';
import IconBrandX from '@tabler/icons-react/icons/IconBrandX';
import IconBrandYoutube from '@tabler/icons-react/icons/IconBrandYoutube';
import IconLink from '@tabler/icons-react/icons/IconLink';
import IconMail from '@tabler/icons-react/icons/IconMail';
import IconPhone from '@tabler/icons-react/icons/IconPhone';
import IconWorld from '@tabler/icons-react/icons/IconWorld';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Html } from '#server/kit/html.ts';

const draw = (icon: ComponentType<{ size: number; 'aria-hidden': boolean }>): Html =>
  new Html(renderToStaticMarkup(createElement(icon, { size: 22, 'aria-hidden': true })));

/** Account §3: the default is a link. */
const LINK = draw(IconLink as never);
const ICONS: Readonly<Record<string, Html>> = {
  instagram: draw(IconBrandInstagram as never),
  facebook: draw(IconBrandFacebook as never),
  linkedin: draw(IconBrandLinkedin as never),
  twitter: draw(IconBrandX as never),
  youtube: draw(IconBrandYoutube as never),
  tiktok: draw(IconBrandTiktok as never),
  github: draw(IconBrandGithub as never),
  website: draw(IconWorld as never),
  email: draw(IconMail as never),
  phone: draw(IconPhone as never),
  custom: LINK,
};

export const iconOf = (kind: string): Html => ICONS[kind] ?? LINK;
