"""What is printed: labels, invoices, documents of our own and from templates; printers in `printing`."""
