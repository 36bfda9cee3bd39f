// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, type ReactElement, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ReportingProvider } from '../reporting.tsx';
import { AmountInput } from './AmountInput.tsx';
import { DigitsInput, WholeNumberInput } from './DigitsInput.tsx';

let root: Root;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root') as HTMLElement);
});
afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

const input = () => document.querySelector('input') as HTMLInputElement;
function show<Value>(first: Value, Field: (props: { value: Value; onChange: (value: Value) => void }) => ReactElement): () => Value {
  let now = first;
  function Form() {
    const [value, setValue] = useState(first);
    now = value;
    return <Field value={value} onChange={setValue} />;
  }
  const reporting = { zone: 'UTC', currency: 'USD', currencyDisplay: 'symbol' } as const;
  act(() =>
    root.render(
      <MantineProvider env="test">
        <ReportingProvider value={reporting}>
          <Form />
        </ReportingProvider>
      </MantineProvider>,
    ),
  );
  return () => now;
}
/** What stands in the field after this was typed or pasted into it. */
function put(text: string): string {
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input(), text);
    input().dispatchEvent(new Event('input', { bubbles: true }));
  });
  return input().value;
}
function isHeld(key: string, more: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  act(() => void input().dispatchEvent(event));
  return event.defaultPrevented;
}

describe('console §5: numeric-only input', () => {
  test('strips what is no digit, and keeps as many as it may', () => {
    const value = show('', (props: { value: string; onChange: (value: string) => void }) => <DigitsInput {...props} digits={4} />);
    expect(put('a1-2b')).toBe('12');
    expect(put('123456')).toBe('1234');
    expect(put('abc')).toBe('');
    expect(value()).toBe('');
  });
  test('the second variant is empty, and not zero, when nothing remains', () => {
    const value = show<number | ''>(7, (props) => <WholeNumberInput {...props} />);
    expect(input().value).toBe('7');
    put('0x2a');
    expect(value()).toBe(2);
    put('0');
    expect(value()).toBe(0);
    expect([put('x'), value()]).toEqual(['', '']);
  });
  test('keys: digits, backspace and delete alone type; shortcuts and what moves go through', () => {
    show('', (props: { value: string; onChange: (value: string) => void }) => <DigitsInput {...props} />);
    expect(['0', '9', 'Backspace', 'Delete', 'Tab', 'Enter', 'ArrowLeft'].filter((key) => isHeld(key))).toEqual([]);
    expect(['a', '.', '-', 'e', ' '].filter((key) => !isHeld(key))).toEqual([]);
    expect([isHeld('v', { ctrlKey: true }), isHeld('c', { metaKey: true })]).toEqual([false, false]);
  });
});

describe('console §5, §9: floating-number input', () => {
  test('nine digits, one dot, four digits; a lone dot is cleared, and one that was left alone too', () => {
    const value = show('', (props: { value: string; onChange: (value: string) => void }) => <AmountInput {...props} />);
    expect(put('1234567890.123456')).toBe('123456789.1234');
    expect(put('1.2.3')).toBe('1.23');
    expect(put('.')).toBe('');
    expect(put('12.')).toBe('12.');
    act(() => input().dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
    expect(value()).toBe('12');
  });
});
