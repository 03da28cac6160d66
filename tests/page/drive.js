/*
 * Uses a page of sessions as somebody would, keys and clicks, and leaves what it saw in the document,
 * a line for each check.
 */
'use strict';
(async () => {
const $ = (id) => document.getElementById(id);
const verdict = document.createElement('pre');
verdict.id = 'verdict';
const say = (good, name, seen) => {
	verdict.textContent += `${good ? 'ok' : 'not ok'} ${name}${good ? '' : `: ${seen}`}\n`;
};
/* A browser without a screen draws when it likes. */
const frame = () => new Promise((resolve) => setTimeout(resolve, 30));
const key = async (name) => {
	document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
	await frame();
};
const type = async (text) => {
	$('search').value = text;
	$('search').dispatchEvent(new Event('input'));
	await frame();
};
const rows = (id) => [...$(id).querySelectorAll('.row')];
const texts = (id) => rows(id).map((row) => row.textContent);
const count = () => Number($('count').textContent.split(' ')[0]);
const levels = () => rows('tree').map((row) => Number(row.getAttribute('aria-level')));
const picture = () => $('flame').toDataURL();

try {
	await frame();
	const all = count(), title = () => $('title').textContent;
	say(all > 1 && rows('list').length > 0, 'loads and lists sessions', all);
	say(!$('part-tree').hidden && rows('tree').length > 1, 'shows the calls of the first', rows('tree').length);
	say(document.querySelectorAll('#tree .bad').length > 0, 'errors stand out', $('tree').textContent);

	const first = title();
	await key('ArrowDown');
	say(title() !== first, 'the arrow goes to the next session', title());
	await key('p');
	say(title() === first, 'and p back', title());

	await type('no such text anywhere');
	say(count() === 0 && !$('empty').hidden && $('part-tree').hidden, 'says that nothing matches', $('count').textContent);
	const word = 'array_map_alloc_check';
	await type(word);
	say(count() > 0 && count() < all, 'search leaves out what does not match', `${count()} of ${all}`);
	say(texts('tree').some((text) => text.includes(word)), 'what it finds has the word', texts('tree').join('|'));
	await type(word + ' ENOENT_and_no_such');
	say(count() === 0, 'all words have to be there', count());
	await type('');
	say(count() === all, 'nothing to search for is all', count());

	await type(word);
	$('tree').focus();
	await key('Home');
	const whole = rows('tree').length;
	await key('ArrowLeft');
	say(rows('tree').length === 1, 'the left arrow folds a call', rows('tree').length);
	await key('ArrowRight');
	say(rows('tree').length === whole, 'the right one unfolds it', rows('tree').length);
	$('fold').click();
	await frame();
	say(levels().every((level) => level === 1), 'folds all', levels());
	$('errors').click();
	await frame();
	say(texts('tree').some((text) => text.includes('[-E')), 'unfolds to the errors', texts('tree').join('|'));
	$('unfold').click();
	await frame();
	say(rows('tree').length === whole, 'unfolds all', rows('tree').length);
	await key('x');
	say(document.querySelector('#tree .row.on .bad') !== null, 'x goes to a failing call', '');
	say($('about').textContent.includes('-E'), 'tells about it', $('about').textContent);

	await key('0');
	const before = picture();
	await key('+');
	const near = picture();
	say(near !== before, 'plus zooms in', '');
	$('flame').focus();
	await key('ArrowRight');
	say(picture() !== near, 'the arrow moves the chart', '');
	await key('0');
	say(picture() === before, 'zero shows all again', '');
	const box = $('flame').getBoundingClientRect();
	$('flame').dispatchEvent(new WheelEvent('wheel', { deltaY: -100, clientX: box.left + 50, clientY: box.top + 30, bubbles: true, cancelable: true }));
	await frame();
	say(picture() !== before, 'the wheel zooms', '');
	$('whole').click();
	await frame();
	say(picture() === before, 'the button shows all again', '');

	const theme = document.documentElement.dataset.theme, paper = getComputedStyle(document.body).backgroundColor;
	await key('t');
	say(document.documentElement.dataset.theme !== theme && getComputedStyle(document.body).backgroundColor !== paper, 't changes light and dark', paper);
	await key('t');

	await type('');
	$('list').focus();
	const began = performance.now();
	await key('End');
	for (let i = 0; i < 20; i++)
		await key('ArrowUp');
	await type('e');
	await type('');
	const took = performance.now() - began;
	say(rows('list').length < 200, 'only rows that can be seen are there', rows('list').length);
	verdict.textContent += `# ${all} sessions: 21 steps and 2 searches in ${Math.round(took)} ms\n`;
} catch (error) {
	say(false, 'the page works', error.stack);
}
document.body.append(verdict);
})();
