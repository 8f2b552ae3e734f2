// With Orleans=off this file is compiled instead of Program.cs.
Console.WriteLine("This build is without Orleans, so there is no silo to run.");
