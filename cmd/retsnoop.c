// SPDX-License-Identifier: BSD-2-Clause
/* The dispatcher: finds the command and runs it. */
int main(void)
{
	return 0;
}
