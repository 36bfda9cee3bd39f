import { expect, test } from 'vitest';
import { pictureProblem } from './picture-problem.ts';

const KIB = 1024;
const file = (name: string, type = '', size = KIB) => ({ name, type, size });

test.each([
  file('logo.jpg', 'image/jpeg'),
  file('logo.JPEG', 'image/jpeg'),
  file('logo.gif', 'image/gif'),
  file('a.b.png', 'image/png'),
  file('logo.bmp', 'image/bmp'),
  // Some systems know no kind.
  file('logo.bmp'),
])('console §5: $name ($type) is a picture', (one) => expect(pictureProblem(one, KIB)).toBeNull());
test.each([
  file('logo.svg', 'image/svg+xml'),
  file('logo.png.exe'),
  file('logo'),
  file('png'),
  file('logo.png', 'text/html'),
  file('logo.tiff', 'image/tiff'),
  file('logo.webp', 'image/webp'),
])('console §5: $name ($type) is none, and what would be is said', (one) =>
  expect(pictureProblem(one, KIB)).toBe('A picture is a jpg, jpeg, gif, png, bmp file. Choose another.'),
);
test('a picture that is too large is refused by its size', () => {
  expect(pictureProblem(file('logo.png', 'image/png', 512 * KIB), 512 * KIB)).toBeNull();
  expect(pictureProblem(file('logo.png', 'image/png', 512 * KIB + 1), 512 * KIB)).toBe(
    'A picture has at most 512 KiB. Choose a smaller file.',
  );
});
