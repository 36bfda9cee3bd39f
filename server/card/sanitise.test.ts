import { describe, expect, it } from 'vitest';
import { linkAddress } from '#contract/link-address.ts';
import { sanitise } from './sanitise.ts';

describe('account §3: the description of a lander, as HTML', () => {
  it.each([
    '<math><mi//xlink:href="data:x,<script>alert(4)</script>">',
    '<svg><p><style><a title="</style><img src onerror=alert(1)>">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<!--><img src=x onerror=alert(1)>-->',
    '<xmp><img src=x onerror=alert(1)></xmp>',
    '</section></main><script>x</script>',
    '<a href="java&#x0A;script:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="\u0001javascript:alert(1)">x</a>',
    '<a href="https://a.example" onclick=x style=y id=z class=w>x</a>',
    '<base href=x><meta http-equiv=refresh content=0><link rel=x>',
    '<p title="</p><img src=x onerror=alert(1)>">x',
  ])('F1, 1.2 sanitiser: a description keeps no more than words, lists and links: %s', (written) => {
    const safe = sanitise(written);
    expect(safe.replaceAll(/<\/?(p|a)( (href="https:\/\/a\.example"|rel="noopener nofollow"|target="_blank"))*>/g, '')).not.toMatch(/[<]/);
    expect(sanitise(safe)).toBe(safe);
  });

  it.each([
    ['harbour.example:8080/faq', 'https://harbour.example:8080/faq'],
    ['grace@harbour.example', 'mailto:grace@harbour.example'],
    ['tel:+12125550123', 'tel:+12125550123'],
    [' https://a.example ', 'https://a.example'],
    ['/drawcard/card/1', '/drawcard/card/1'],
    ['//evil.example', undefined],
    ['javascript:alert(1)', undefined],
    ['ftp://a.example', undefined],
    ['words', undefined],
  ])('F1: a link to %j leads to %j, in the editor as on the page', (typed, address) => {
    expect(linkAddress(typed)).toBe(address);
    const { href } = /<a(?: href="(?<href>[^"]*)")?/.exec(sanitise(`<a href="${typed}">x</a>`))!.groups!;
    expect(href).toBe(address);
  });
});
